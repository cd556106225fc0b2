import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';

/** Newest first. */
export function latestMovements(database: Kysely<Tables>, limit: number) {
  return movements(database).orderBy('id', 'desc').limit(limit).execute();
}

export type MovementRow = Awaited<ReturnType<typeof latestMovements>>[number];

/**
 * The movements for a transaction: for a payment or anything of it (authorization, capture, sale, refund) all that
 * belongs to the payment, otherwise what belongs to the agreement, its sale or refund, the payout or its item.
 */
export function findMovements(database: Kysely<Tables>, id: string, limit: number): Promise<MovementRow[]> {
  const payment = sql<string>`(
    SELECT ${id}::text
    UNION SELECT payment_id FROM authorizations WHERE id = ${id}
    UNION SELECT payment_id FROM captures WHERE id = ${id}
    UNION SELECT payment_id FROM sales WHERE id = ${id}
    UNION SELECT payment_id FROM book_entries WHERE refund_id = ${id} AND kind = 'refund')`;
  return movements(database)
    .where((where) =>
      where.or([
        where('payment_id', 'in', payment),
        where('agreement_id', '=', id),
        where('sale_id', '=', id),
        where('refund_id', '=', id),
        where('payout_item_id', '=', id),
        where('payout_item_id', 'in', (item) =>
          item.selectFrom('payout_items').select('payout_items.id').where('batch_id', '=', id),
        ),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute();
}

function movements(database: Kysely<Tables>) {
  return database
    .selectFrom('book_entries')
    .select(['id', 'created_at', 'kind', 'amount_minor', 'currency', 'client_id', 'invoice_number'])
    .select(['payment_id', 'authorization_id', 'capture_id', 'sale_id', 'refund_id', 'agreement_id'])
    .select(['payout_item_id'])
    .select([account('<').as('from_account'), account('>').as('to_account')]);
}

/** The account of the posting with this sign: money goes from one to the other. */
function account(sign: '<' | '>') {
  return sql<string | null>`(SELECT account FROM book_postings
    WHERE entry_id = book_entries.id AND amount_minor ${sql.raw(sign)} 0)`;
}
