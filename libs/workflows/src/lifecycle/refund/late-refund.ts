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

/** A refund that the provider shows under a reference of ours. */
export interface ReferencedRefund {
  readonly providerRefundId: string;
  /** The provider's word for where it stands. */
  readonly state: string;
  readonly amount?: Money;
  readonly collectedId: string;
}

/**
 * What such a refund is to the request that sent the reference. `known`: what that request says of it is all there is.
 * `awaited`: that request has no answer yet, and may be about to find it. `late`: the request was given up, and has
 * been carried out after all. `another`: money that the request does not account for.
 */
export type RefundRelation = 'known' | 'awaited' | 'late' | 'another';

/** @param request the refund that was asked for and has sent the reference. */
export function relationOf(request: RefundState, shown: ReferencedRefund): RefundRelation {
  const { claim, providerRefundId, status } = request;
  // A reference is sent again with each repeat: a provider that was late with the first has made two.
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
  // Pending, it is under way beside the request, until it is known whether money goes back by it.
  return shownAs === 'completed' && isAsAsked ? 'late' : 'another';
}

/** It was given up, and has been carried out after all: money has gone back, whatever was said of it. */
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
