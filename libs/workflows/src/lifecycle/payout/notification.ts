import type { NotifiedResource } from '../notified-resource.js';
import { isOpenItem, itemStatusOf } from './item.js';
import { type PayoutState, isTerminal } from './payout.js';

/**
 * True if a due or finished read of the batch shows what the event reports, so that the run does not need it: a batch
 * sends events for each of thousands of items.
 */
export function isAlreadyKnown(state: PayoutState, resource: NotifiedResource): boolean {
  const { kind, state: shown } = resource;
  if (kind === 'payout_item') {
    if (isOfEndedItem(state, resource)) return false;
    // All items are read once the provider has processed the batch, and again at a read that is already due.
    return state.status === 'processing' || state.readAt !== undefined || isTerminal(state.status);
  }
  if (kind !== 'payout') return false;
  if (shown === 'PENDING' || shown === 'PROCESSING') return true;
  return state.readAt !== undefined || isTerminal(state.status);
}

/**
 * True if the event reports a change after an item's end: returned money or, if all items have ended, a status that no
 * item has. The run must get it even if a read is due: the end of the payout cancels that read, and nothing else would
 * read the item again.
 */
export function isOfEndedItem({ status, totals }: PayoutState, { kind, state }: NotifiedResource): boolean {
  const shown = kind === 'payout_item' ? itemStatusOf(state) : undefined;
  if (shown === undefined || isOpenItem(shown)) return false;
  if (shown === 'refunded' || shown === 'reversed') return true;
  return isTerminal(status) && totals[shown] === undefined;
}
