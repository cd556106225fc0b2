import type { NotifiedResource } from '../notified-resource.js';
import { type RefundState, isRefundTerminal } from './refund.js';

/** True when the record already says what the event says, so that its run need not be woken for it. */
export function tellsRefundNothingNew({ status }: RefundState, { kind, state }: NotifiedResource): boolean {
  return kind === 'refund' && isRefundTerminal(status) && status === state;
}

/** True for an event that says money went back where the record says that it did not. */
export function contradictsRefund({ status }: RefundState, { kind, state }: NotifiedResource): boolean {
  return kind === 'refund' && isRefundTerminal(status) && status !== 'completed' && state === 'completed';
}

/** True for an event that says so of a request which was given up, and of which no refund is known. */
export function isLate(state: RefundState, resource: NotifiedResource): boolean {
  const isGivenUp = state.claim.kind === 'request' && state.providerRefundId === undefined;
  return isGivenUp && resource.id !== '' && contradictsRefund(state, resource);
}
