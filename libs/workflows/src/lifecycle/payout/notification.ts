import type { NotifiedResource } from '../notified-resource.js';
import { isOpenItem, itemStatusOf } from './item.js';
import { type PayoutState, isTerminal } from './payout.js';

/**
 * True when a read of the batch is certain to come, or was made, that shows what the event tells, so that the run need not
 * be woken for it: a batch of thousands of items tells of each of them.
 */
export function tellsNothingNew(state: PayoutState, resource: NotifiedResource): boolean {
  const { kind, state: shown } = resource;
  if (kind === 'payout_item') {
    if (isOfEndedItem(state, resource)) return false;
    // All items are read once the batch has been gone through, and again when a read that is still to come is due.
    return state.status === 'processing' || state.readAt !== undefined || isTerminal(state.status);
  }
  if (kind !== 'payout') return false;
  if (shown === 'PENDING' || shown === 'PROCESSING') return true;
  return state.readAt !== undefined || isTerminal(state.status);
}

/**
 * True when the event tells of an item what comes after an end: money that was given back, or, where every item has come to
 * its end, one that none of them has come to. The run must hear of it, whatever read is due: an end forgoes that read, and
 * nothing else would have the item read again.
 */
export function isOfEndedItem({ status, totals }: PayoutState, { kind, state }: NotifiedResource): boolean {
  const shown = kind === 'payout_item' ? itemStatusOf(state) : undefined;
  if (shown === undefined || isOpenItem(shown)) return false;
  if (shown === 'refunded' || shown === 'reversed') return true;
  return isTerminal(status) && totals[shown] === undefined;
}
