import { sql, type Kysely } from 'kysely';
import type { PaymentRow, RefundRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Links } from '../http/links.js';
import { ownRow } from '../server/own-row.js';
import { atOneInstant } from '../server/reading.js';
import { describePayment, NOTHING_RELATED, type RelatedRows } from './payment-representation.js';
import type { PaymentListQuery } from './payment-request.js';

/** @throws ApiError INVALID_RESOURCE_ID when the application has no such payment. */
export async function getPayment(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  paymentId: string,
): Promise<object> {
  const payment = await ownRow(database, 'payments', clientId, paymentId);
  const [described] = await describePayments(database, links, [payment]);
  return described as object;
}

/** A page of an application's payments by creation time; `next_id` is the `start_id` of the next one. */
export async function listPayments(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  query: PaymentListQuery,
): Promise<object> {
  const isDescending = query.sort_order === 'desc';
  let page = database.selectFrom('payments').selectAll().where('client_id', '=', clientId);
  if (query.start_id !== undefined) {
    const start = await startOfPage(database, clientId, query.start_id);
    page = page.where(
      sql<boolean>`(created_at, id) ${isDescending ? sql`<=` : sql`>=`} (${start}, ${query.start_id})`,
    );
  }
  if (query.start_time !== undefined) page = page.where('created_at', '>=', query.start_time);
  if (query.end_time !== undefined) page = page.where('created_at', '<=', query.end_time);
  if (query.payee_id !== undefined) page = page.where('payee_id', '=', query.payee_id);
  if (query.start_index !== undefined) page = page.offset(query.start_index);
  const rows = await page
    .orderBy('created_at', query.sort_order)
    .orderBy('id', query.sort_order)
    .limit(query.count + 1)
    .execute();
  const payments = await describePayments(database, links, rows.slice(0, query.count));
  const next = rows[query.count];
  return { payments, count: payments.length, ...(next !== undefined && { next_id: next.id }) };
}

async function startOfPage(database: Kysely<Tables>, clientId: string, startId: string): Promise<Date> {
  const start = await database
    .selectFrom('payments')
    .select('created_at')
    .where('id', '=', startId)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (start === undefined) throw ApiError.invalid('start_id', 'No such payment');
  return start.created_at;
}

async function describePayments(
  database: Kysely<Tables>,
  links: Links,
  payments: readonly PaymentRow[],
): Promise<object[]> {
  const executedIds = payments.filter(({ state }) => state !== 'created').map(({ id }) => id);
  const related = await relatedTo(database, executedIds);
  const now = new Date();
  return payments.map((payment) => {
    const isRelated = (row: { payment_id: string | null }) => row.payment_id === payment.id;
    const own = {
      authorizations: related.authorizations.filter(isRelated),
      captures: related.captures.filter(isRelated),
      sales: related.sales.filter(isRelated),
      refunds: related.refunds.filter(isRelated),
    };
    return describePayment(payment, own, links, now);
  });
}

/**
 * Read at one instant: an authorization is never shown captured without its capture, a sale never without its refund.
 */
async function relatedTo(database: Kysely<Tables>, paymentIds: readonly string[]): Promise<RelatedRows> {
  if (paymentIds.length === 0) return NOTHING_RELATED;
  return atOneInstant(database, async (transaction) => {
    const authorizations = await transaction
      .selectFrom('authorizations')
      .selectAll()
      .where('payment_id', 'in', paymentIds)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const captures = await transaction
      .selectFrom('captures')
      .selectAll()
      .where('payment_id', 'in', paymentIds)
      .orderBy('created_at')
      .orderBy('id')
      .execute();
    const sales = await transaction
      .selectFrom('sales')
      .selectAll()
      .where('payment_id', 'in', paymentIds)
      .execute();
    const hasCollected = captures.length + sales.length > 0;
    const refunds = hasCollected ? await refundsOf(transaction, paymentIds) : [];
    return { authorizations, captures, sales, refunds };
  });
}

function refundsOf(database: Kysely<Tables>, paymentIds: readonly string[]): Promise<RefundRow[]> {
  return database
    .selectFrom('refunds')
    .selectAll()
    .where('payment_id', 'in', paymentIds)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}
