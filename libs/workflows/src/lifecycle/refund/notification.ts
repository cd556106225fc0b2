import type { NotifiedResource } from '../notified-resource.js';
import { type RefundState, isRefundTerminal, providerRefundIdOf } from './refund.js';

/** True if our record already has what the event reports, so that the run does not need it. */
export function isRefundAlreadyKnown(state: RefundState, resource: NotifiedResource): boolean {
  if (resource.kind !== 'refund' || isOfAnother(state, resource)) return false;
  return isRefundTerminal(state.status) && state.status === resource.state;
}

/**
 * True if the event names another refund than ours, under our reference: the provider has carried out a call a second
 * time, or somebody wrote our reference on a refund of their own.
 */
export function isOfAnother(state: RefundState, { kind, id }: NotifiedResource): boolean {
  const known = providerRefundIdOf(state);
  return kind === 'refund' && id !== '' && known !== undefined && known !== id;
}

/** True for an event of a completed refund that our record calls not made. */
export function contradictsRefund({ status }: RefundState, { kind, state }: NotifiedResource): boolean {
  return kind === 'refund' && isRefundTerminal(status) && status !== 'completed' && state === 'completed';
}

/** True if the event contradicts a request of ours that was given up, and no refund of it is known. */
export function isLate(state: RefundState, resource: NotifiedResource): boolean {
  const isGivenUp = state.claim.kind === 'request' && state.providerRefundId === undefined;
  return isGivenUp && resource.id !== '' && contradictsRefund(state, resource);
}
