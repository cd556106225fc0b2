import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Tables } from '../database/tables.js';

export const movementQuery = z.object({
  payment: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional(),
  agreement: z
    .string()
    .regex(/^[A-Za-z0-9-]{1,64}$/)
    .optional(),
  clientId: z
    .string()
    .max(200)
    .regex(/^[^\0]*$/)
    .optional(),
  limit: z.coerce.number().int().min(1).max(10_000).default(1_000),
  /** The id of the last movement of the page before. */
  after: z.coerce.number().int().min(0).default(0),
});

/** Movements of money in the order in which they were booked. */
export async function listMovements(database: Kysely<Tables>, query: z.output<typeof movementQuery>) {
  let entries = database.selectFrom('book_entries').selectAll().where('id', '>', query.after);
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
