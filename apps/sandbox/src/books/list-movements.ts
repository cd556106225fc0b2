import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';
import { identifier } from '../http/validation.js';

export const movementQuery = z.strictObject({
  payment: identifier.optional(),
  agreement: identifier.optional(),
  clientId: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** The id of the last movement of the page before. */
  after: z.coerce.number().int().min(0).default(0),
});

/** Movements of money in the order in which they were booked: a reader who continues after the last one misses none. */
export async function listMovements(database: Kysely<Tables>, query: z.output<typeof movementQuery>) {
  const last = await lastStableEntry(database, query.after);
  let entries = database
    .selectFrom('book_entries')
    .selectAll()
    .where('id', '>', query.after)
    .where('id', '<=', last);
  if (query.payment !== undefined) entries = entries.where('payment_id', '=', query.payment);
  if (query.agreement !== undefined) entries = entries.where('agreement_id', '=', query.agreement);
  if (query.clientId !== undefined) entries = entries.where('client_id', '=', query.clientId);
  const rows = await entries.orderBy('id').limit(query.limit).execute();
  return rows.map((row) => ({
    id: row.id,
    kind: row.kind,
    amountMinor: row.amount_minor,
    currency: row.currency,
    clientId: row.client_id,
    paymentId: row.payment_id,
    authorizationId: row.authorization_id,
    captureId: row.capture_id,
    saleId: row.sale_id,
    refundId: row.refund_id,
    agreementId: row.agreement_id,
    payoutItemId: row.payout_item_id,
    requestId: row.request_id,
    invoiceNumber: row.invoice_number,
    custom: row.custom,
    createdAt: row.created_at.toISOString(),
  }));
}

/**
 * The highest id up to which the books will not change; `after` when nothing came since. Ids are assigned when an entry
 * is written and visible when its transaction commits, and the two orders may differ: below a visible entry, others may
 * still come. A writer holds the table's lock from before its id is assigned until it commits, so once the conflicting
 * lock was granted, all of them are visible or will never come. The statement is its own transaction: nobody waits for
 * the lock while the page is read.
 * @throws when a writer takes longer than the statement timeout.
 */
async function lastStableEntry(database: Kysely<Tables>, after: number): Promise<number> {
  const { last } = await database
    .selectFrom('book_entries')
    .select((column) => column.fn.coalesce(column.fn.max('id'), sql.lit(0)).as('last'))
    .executeTakeFirstOrThrow();
  if (last <= after) return after;
  await sql`DO $$ BEGIN LOCK TABLE book_entries IN SHARE MODE; END $$`.execute(database);
  return last;
}
