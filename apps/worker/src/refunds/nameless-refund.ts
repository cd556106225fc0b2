import type { AttemptRow } from '#database/schema';
import type { listOtherRefunds } from '#database/subjects';
import type { Refund } from '#payments-client';
import type { RefundRequestClaim } from '#workflows/lifecycle/refund';
import type { DecidedReview } from '#workflows/lifecycle/step';
import type { ProviderTime } from '../provider/clock-skew.js';
import { moneyOf, sourceOf } from '../provider/refund-facts.js';
import { mayBeIt } from './look-up-refund-request.js';

/*
 * A refund that is equal to the requested one and shows nobody's reference. The provider's reads may leave the reference
 * out, or it was made in a dashboard: only a person can tell (docs/decisions/0012).
 */

/**
 * Which of such refunds may still be the requested one. An operator who decides that it was not made names the one that
 * is somebody else's. If there are several, the operator must say that this cannot be proved of the others.
 *
 * @param others ids of refunds that are known to be another's.
 */
export function unclearAfter(
  { decision, resourceId, isUnverified }: DecidedReview<string>,
  nameless: readonly Refund[],
  others: readonly string[],
): readonly Refund[] {
  const unclear = nameless.filter(({ id }) => !others.includes(id));
  const isNamed = unclear.some(({ id }) => id === resourceId);
  if (decision !== 'did_not_happen' || !isNamed) return unclear;
  return isUnverified ? [] : unclear.filter(({ id }) => id !== resourceId);
}

/**
 * The provider's ids of refunds that are known to be another's. One that was only reported may be the requested one.
 *
 * @param rows of the other refunds of the payment.
 */
export function idsOfOthers(rows: Awaited<ReturnType<typeof listOtherRefunds>>): readonly string[] {
  return rows
    .filter(({ status }) => status !== 'observed' && status !== 'unfounded')
    .flatMap(({ provider_refund_id: id }) => id ?? []);
}

/** Why a refund that an operator names cannot be the requested one; undefined if it can. */
export function whyAnother(
  refund: Refund,
  claim: RefundRequestClaim,
  attempts: readonly AttemptRow[],
  time: ProviderTime,
): string | undefined {
  const { invoiceNumber } = refund;
  const isNameless = invoiceNumber === undefined;
  if (!isNameless && !attempts.some(({ reference }) => reference === invoiceNumber))
    return 'That refund does not have our reference.';
  const { minor, currency } = moneyOf(refund.amount);
  if (minor !== claim.amount.minor || currency !== claim.amount.currency)
    return 'That refund has another amount.';
  const source = sourceOf(refund);
  // With our reference it is ours even if an answer leaves out what it refunds.
  if (source !== claim.collected.id && (isNameless || source !== undefined))
    return `The provider does not show that refund for this ${claim.collected.kind}.`;
  if (isNameless && !mayBeIt(refund, claim, attempts, time))
    return 'That refund was made before the request.';
  return undefined;
}
