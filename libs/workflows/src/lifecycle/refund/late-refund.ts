import type { Instant } from '../lifecycle.js';
import type { Money } from '../money.js';
import { takeAnswer } from './open-step.js';
import {
  type AnsweredRefund,
  type RefundTransitionResult,
  type RefundState,
  isRefundTerminal,
} from './refund.js';
import { statusShown } from './status-shown.js';

/** A refund at the provider with a reference of ours. */
export interface ReferencedRefund {
  readonly providerRefundId: string;
  /** The provider's state of the refund. */
  readonly state: string;
  readonly amount?: Money;
  readonly collectedId: string;
}

/**
 * The relation of such a refund to the request with that reference. `known`: it is the request's refund. `awaited`: the
 * request has no answer yet and may still find it. `late`: the request was given up and was carried out after all.
 * `another`: a second refund, which the request does not cover.
 */
export type RefundRelation = 'known' | 'awaited' | 'late' | 'another';

/** @param request our refund request with that reference. */
export function relationOf(request: RefundState, shown: ReferencedRefund): RefundRelation {
  const { claim, providerRefundId, status } = request;
  // Each repeat has the same reference: a provider that executed the first call late has made two refunds.
  if (providerRefundId !== undefined)
    return providerRefundId === shown.providerRefundId ? 'known' : 'another';
  if (!isRefundTerminal(status)) return 'awaited';
  const shownAs = statusShown(shown.state);
  if (shownAs === 'failed' || shownAs === 'cancelled') return 'known';
  const isAsAsked =
    claim.kind === 'request' &&
    claim.collected.id === shown.collectedId &&
    claim.amount.minor === shown.amount?.minor &&
    claim.amount.currency === shown.amount.currency;
  // While it is pending it counts as another refund, until it is known whether it returns money.
  return shownAs === 'completed' && isAsAsked ? 'late' : 'another';
}

/** The refund was given up and was carried out after all: money has gone back. */
export function takeLateRefund(
  state: RefundState,
  event: { readonly refund: AnsweredRefund },
  now: Instant,
): RefundTransitionResult {
  const isGivenUp = state.claim.kind === 'request' && state.providerRefundId === undefined;
  if (!isGivenUp || statusShown(event.refund.state) !== 'completed') return { kind: 'stale', state };
  const reason = 'The provider has made it after all, later than it promised.';
  const taken = takeAnswer(state, event, now);
  return { ...taken, state: { ...taken.state, reason } };
}
