import type { RefundStatus } from './refund.js';

/** What the provider calls a refund; a state that we do not know yet counts as pending. */
export function statusShown(
  state: string,
): Extract<RefundStatus, 'pending' | 'completed' | 'failed' | 'cancelled'> {
  return state === 'completed' || state === 'failed' || state === 'cancelled' ? state : 'pending';
}
