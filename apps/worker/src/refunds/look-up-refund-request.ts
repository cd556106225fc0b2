import type { AttemptRow } from '#database/schema';
import type { PaymentsClient, Refund, Transaction } from '#payments-client';
import { insertReportedRefund } from '#webhook-inbox';
import type { RefundStepInput } from '#workflows/contract';
import { type RefundEvent, type RefundRequestClaim, statusShown } from '#workflows/lifecycle/refund';
import type { LookHint } from '#workflows/lifecycle/step';
import { type ProviderTime, isMadeBefore } from '../provider/clock-skew.js';
import { lookLimit } from '../provider/provider-clients.js';
import {
  answeredRefund,
  findCollected,
  hasGivenBack,
  isAsRequested,
  mayBeOf,
  moneyOf,
  sumOf,
} from '../provider/refund-facts.js';
import { type LookupResult, readable } from '../steps/lookups/look-up-step.js';
import type { ActivityContext } from '../steps/activities/context.js';

interface RefundSearch extends LookHint {
  /** Which of the equal refunds without a reference may be the requested one: all, unless a person has named one. */
  readonly unclearOf?: (nameless: readonly Refund[]) => readonly Refund[];
}

/** Searches the payment's refunds at the provider for one with a reference of ours. */
export async function lookUpRefundRequest(
  context: ActivityContext,
  input: RefundStepInput,
  attempts: readonly AttemptRow[],
  search: RefundSearch = {},
): Promise<LookupResult<RefundEvent>> {
  const { claim } = input.state;
  const { resourceId } = search;
  if (claim.kind !== 'request') throw new Error('a refund made elsewhere has no request to look up');
  const client = context.providers.for(input.identity);
  const seen = await readable(searchInPayment(context, input, claim, attempts, search));
  const isOpen = seen === 'absent' || seen === 'unreadable';
  if (!isOpen || resourceId === undefined) return seen;
  return (await readHintedRefund(client, claim, attempts, resourceId)) ?? seen;
}

/** Reads the refund that an event has named, because the payment's read may lag. It is ours if it has our reference. */
async function readHintedRefund(
  { refunds }: PaymentsClient,
  claim: RefundRequestClaim,
  attempts: readonly AttemptRow[],
  id: string,
): Promise<RefundEvent | undefined> {
  const refund = await readable<Refund>(refunds.get(id, { signal: lookLimit() }));
  if (typeof refund === 'string' || !('amount' in refund)) return undefined;
  const isOurs =
    attempts.some(({ reference }) => reference === refund.invoiceNumber) &&
    mayBeOf(claim.collected.id)(refund);
  return isOurs ? { type: 'refundAnswered', refund: answeredRefund(refund, claim) } : undefined;
}

async function searchInPayment(
  context: ActivityContext,
  input: RefundStepInput,
  claim: RefundRequestClaim,
  attempts: readonly AttemptRow[],
  { resourceId, unclearOf = (all) => all }: RefundSearch,
): Promise<LookupResult<RefundEvent>> {
  const client = context.providers.for(input.identity);
  const { transactions } = await client.payments.get(claim.providerPaymentId, { signal: lookLimit() });
  const refunds = transactions.flatMap((transaction) => transaction.refunds);
  const referenced = refunds.filter(({ invoiceNumber }) =>
    attempts.some(({ reference }) => reference === invoiceNumber),
  );
  const made = referenced.find((refund) => isAsRequested(refund, claim)) ?? referenced[0];
  if (made) {
    const answered = answeredRefund(made, claim);
    const others = [...referenced.map(({ id }) => id), resourceId].filter((id) => id !== made.id);
    for (const id of others) if (id !== undefined) await reportBeside(context, input, id);
    return { type: 'refundAnswered', refund: answered };
  }
  const nameless = refunds.filter((refund) => mayBeIt(refund, claim, attempts, client));
  const isUnclear = unclearOf(nameless).length > 0;
  return showsItsRefunds(transactions, claim) && !isUnclear ? 'absent' : 'unreadable';
}

/**
 * The request is answered by one refund. Its event, which came while the request was in doubt, told of no other one; so
 * another with our reference, or that such an event has named, gets a row, and reconciliation starts its run.
 */
async function reportBeside(
  { db }: ActivityContext,
  { identity, state: { paymentId, patience } }: RefundStepInput,
  providerRefundId: string,
): Promise<void> {
  const claim = { kind: 'refund', providerRefundId } as const;
  const claimed = { ...identity, subjectId: paymentId };
  await insertReportedRefund(db, claimed, {
    kind: 'adoptRefund',
    nameElsewhere: providerRefundId,
    claim,
    patience,
  });
}

/** An incomplete answer proves nothing: it must show the capture or sale, and the refunds of what has gone back of it. */
function showsItsRefunds(
  transactions: readonly Transaction[],
  { collected: { id } }: RefundRequestClaim,
): boolean {
  const source = findCollected(transactions, id);
  if (!source) return false;
  if (!hasGivenBack(source.state) || source.reasonCode === 'CHARGEBACK') return true;
  const returned = sumOf(
    transactions.flatMap(({ refunds }) => refunds.filter(mayBeOf(id)).filter(isReturning)),
  );
  return source.state === 'refunded' ? returned >= moneyOf(source.amount).minor : returned > 0;
}

function isReturning({ state }: Refund): boolean {
  const status = statusShown(state);
  return status === 'pending' || status === 'completed';
}

/** A refund as it was requested, without a reference, that is not older than the request. */
export function mayBeIt(
  refund: Refund,
  claim: RefundRequestClaim,
  attempts: readonly AttemptRow[],
  time: ProviderTime,
): boolean {
  if (refund.invoiceNumber !== undefined || !isAsRequested(refund, claim)) return false;
  return !isMadeBefore(time, attempts[0]?.begun_at, refund);
}
