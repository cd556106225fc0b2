import { sql } from 'kysely';
import type { PayoutBatchRow } from '../database/tables.js';
import { payeeAccount } from './accounts.js';
import type { Booking } from './book.js';

/*
 * A batch may have 15,000 items: each function is one statement, whatever their number. Entries are joined with tables
 * by their keys and never with one another, because the planner has no statistics for new rows. The index
 * one_movement_of_a_kind_per_payout_item prevents a second booking for an item.
 */

/** The money of every item of a batch that will be paid leaves the sender's account. */
export async function bookPayouts(booking: Booking, batch: PayoutBatchRow): Promise<void> {
  await sql`
    WITH entry AS (
      INSERT INTO book_entries (kind, client_id, payout_item_id, amount_minor, currency, request_id, invoice_number,
        custom, created_at)
      SELECT 'payout', client_id, id, amount_minor, currency, ${booking.requestId}, ${batch.sender_batch_id}::text,
        sender_item_id, ${booking.now}::timestamptz
      FROM payout_items WHERE batch_id = ${batch.id} AND refused_as IS NULL
      ORDER BY position
      RETURNING id, payout_item_id
    )
    INSERT INTO book_postings (entry_id, account, amount_minor)
    SELECT entry.id, ${payeeAccount('')} || side.account_id, side.amount_minor
    FROM entry JOIN payout_items AS item ON item.id = entry.payout_item_id
    CROSS JOIN LATERAL (VALUES (${batch.sender_id}, -item.amount_minor), (item.receiver_id, item.amount_minor))
      AS side (account_id, amount_minor)`.execute(booking.transaction);
}

/** What was paid for these items is returned to its source; items that were not paid are skipped. */
export async function bookPayoutReturns(booking: Booking, itemIds: readonly string[]): Promise<void> {
  if (itemIds.length === 0) return;
  await sql`
    WITH entry AS (
      INSERT INTO book_entries (kind, client_id, payout_item_id, amount_minor, currency, request_id, invoice_number,
        custom, created_at)
      SELECT 'payout_return', client_id, payout_item_id, amount_minor, currency, ${booking.requestId}, invoice_number,
        custom, ${booking.now}::timestamptz
      FROM book_entries WHERE payout_item_id = ANY (${itemIds}::text[]) AND kind = 'payout'
      ORDER BY id
      RETURNING id, payout_item_id
    )
    INSERT INTO book_postings (entry_id, account, amount_minor)
    SELECT entry.id, posting.account, -posting.amount_minor
    FROM entry JOIN book_entries AS paid ON paid.payout_item_id = entry.payout_item_id AND paid.kind = 'payout'
    JOIN book_postings AS posting ON posting.entry_id = paid.id`.execute(booking.transaction);
}
