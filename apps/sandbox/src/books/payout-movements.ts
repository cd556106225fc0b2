import { sql } from 'kysely';
import { payeeAccount } from './accounts.js';
import type { Booking } from './book.js';

/*
 * A batch may have 15,000 items: each function is one statement, whatever their number. That nothing is booked twice for
 * an item is kept by the index one_movement_of_a_kind_per_payout_item.
 */

/** The money of every item of a batch that will be paid leaves the sender's account. */
export async function bookPayouts(booking: Booking, batchId: string): Promise<void> {
  await sql`
    WITH paid AS (
      SELECT item.*, batch.sender_id, batch.sender_batch_id
      FROM payout_items AS item JOIN payout_batches AS batch ON batch.id = item.batch_id
      WHERE batch.id = ${batchId} AND item.refused_as IS NULL
    ), entry AS (
      INSERT INTO book_entries (kind, client_id, payout_item_id, amount_minor, currency, request_id, invoice_number,
        custom, created_at)
      SELECT 'payout', client_id, id, amount_minor, currency, ${booking.requestId}, sender_batch_id, sender_item_id,
        ${booking.now}::timestamptz
      FROM paid ORDER BY position
      RETURNING id, payout_item_id
    )
    INSERT INTO book_postings (entry_id, account, amount_minor)
    SELECT entry.id, ${payeeAccount('')} || side.account_id, side.amount_minor
    FROM entry JOIN paid ON paid.id = entry.payout_item_id
    CROSS JOIN LATERAL (VALUES (sender_id, -paid.amount_minor), (receiver_id, paid.amount_minor))
      AS side (account_id, amount_minor)`.execute(booking.transaction);
}

/** What was paid for these items goes back to where it came from; items that were not paid are passed over. */
export async function bookPayoutReturns(booking: Booking, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    WITH paid AS (
      SELECT * FROM book_entries WHERE kind = 'payout' AND payout_item_id = ANY (${itemIds}::text[])
    ), entry AS (
      INSERT INTO book_entries (kind, client_id, payout_item_id, amount_minor, currency, request_id, invoice_number,
        custom, created_at)
      SELECT 'payout_return', client_id, payout_item_id, amount_minor, currency, ${booking.requestId}, invoice_number,
        custom, ${booking.now}::timestamptz
      FROM paid ORDER BY id
      RETURNING id, payout_item_id
    )
    INSERT INTO book_postings (entry_id, account, amount_minor)
    SELECT entry.id, posting.account, -posting.amount_minor
    FROM entry JOIN paid USING (payout_item_id) JOIN book_postings AS posting ON posting.entry_id = paid.id`.execute(
    booking.transaction,
  );
}
