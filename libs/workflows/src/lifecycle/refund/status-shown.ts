import type { RefundStatus } from './refund.js';

/** Our status for the provider's state of a refund; an unknown state counts as pending. */
export function statusShown(
  state: string,
): Extract<RefundStatus, 'pending' | 'completed' | 'failed' | 'cancelled'> {
  return state === 'completed' || state === 'failed' || state === 'cancelled' ? state : 'pending';
}
