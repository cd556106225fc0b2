import type { Transaction } from 'kysely';
import type { Booking } from '../books/book.js';
import { bookPayoutReturns } from '../books/payout-movements.js';
import type { PayoutItemRow, Tables } from '../database/tables.js';
import type { Links } from '../http/links.js';
import { canChange, comesBack, ITEM_CHANGES, type ItemChange } from './item-changes.js';
import { recordItemEvents } from './payout-events.js';

/** An item whose row is locked until the transaction ends, with its batch's own reference. */
export type LockedItem = PayoutItemRow & { sender_batch_id: string | null };

/** Locks an item, so that its cancellation, its completion and an operator's action run one after the other. */
export function lockItem(
  transaction: Transaction<Tables>,
  itemId: string,
  clientId?: string,
): Promise<LockedItem | undefined> {
  let query = transaction
    .selectFrom('payout_items')
    .innerJoin('payout_batches', 'payout_batches.id', 'payout_items.batch_id')
    .selectAll('payout_items')
    .select('payout_batches.sender_batch_id')
    .where('payout_items.id', '=', itemId)
    .forUpdate('payout_items');
  if (clientId !== undefined) query = query.where('payout_items.client_id', '=', clientId);
  return query.executeTakeFirst();
}

/**
 * Changes a locked item, moves its money, records the event; null, without any change, when its status does not allow
 * it.
 */
export async function changeItem(
  { transaction, now, requestId }: Booking,
  item: LockedItem,
  name: ItemChange,
  links: Links,
): Promise<PayoutItemRow | null> {
  if (!canChange(item, name)) return null;
  const change = ITEM_CHANGES[name];
  const changed = await transaction
    .updateTable('payout_items')
    .set({
      status: change.to,
      is_cancelled: name === 'cancel',
      ...('error' in change && { error_name: change.error }),
      due_at: null,
      settles_as: null,
      updated_at: now,
    })
    .where('id', '=', item.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  if (comesBack(changed.status)) await bookPayoutReturns({ transaction, now, requestId }, [item.id]);
  if (change.event !== null) {
    await recordItemEvents(
      transaction,
      [{ type: change.event, item: changed }],
      item.sender_batch_id,
      links,
      now,
    );
  }
  return changed;
}
