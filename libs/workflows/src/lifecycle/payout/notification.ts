import type { NotifiedResource } from '../notified-resource.js';
import { itemStatusOf } from './item.js';
import { type PayoutState, isTerminal } from './payout.js';

/**
 * True when a read of the batch is certain to come, or was made, that shows what the event tells, so that the run need not
 * be woken for it: a batch of thousands of items tells of each of them.
 */
export function tellsNothingNew(state: PayoutState, { kind, state: shown }: NotifiedResource): boolean {
  if (kind === 'payout_item') {
    // All items are read once the batch has been gone through, and again when a read that is still to come is due.
    if (state.status === 'processing' || state.readAt !== undefined) return true;
    return isTerminal(state.status) && !isGivenBack(shown);
  }
  if (kind !== 'payout') return false;
  if (shown === 'PENDING' || shown === 'PROCESSING') return true;
  return state.readAt !== undefined || isTerminal(state.status);
}

/** What can still become of an item when all of them have come to their end. */
function isGivenBack(shown: string): boolean {
  const status = itemStatusOf(shown);
  return status === 'refunded' || status === 'reversed';
}
