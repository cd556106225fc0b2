import type { NotifiedResource } from '../notified-resource.js';
import { type RefundState, isRefundTerminal } from './refund.js';

/** True if our record already has what the event reports, so that the run does not need it. */
export function isRefundAlreadyKnown({ status }: RefundState, { kind, state }: NotifiedResource): boolean {
  return kind === 'refund' && isRefundTerminal(status) && status === state;
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
