import { sql, type Kysely, type RawBuilder } from 'kysely';
import { z } from 'zod';
import { cursor, periodFilters, text, writeCursor } from '../calls/call-filters.js';
import type { Tables } from '../database/tables.js';
import { orAbsent } from '../http/validation.js';
import { KINDS, SOURCES, type Kind } from './transaction-sources.js';

export const transactionFilters = z.object({
  /** A whole id, or a part of a reference. */
  text: orAbsent(text),
  kind: orAbsent(z.enum(KINDS)),
  clientId: orAbsent(text),
  accountId: orAbsent(text),
  environment: orAbsent(z.enum(['sandbox', 'live'])),
  ...periodFilters,
  before: orAbsent(cursor),
  after: orAbsent(cursor),
});

export type TransactionFilters = z.output<typeof transactionFilters>;

export interface FoundTransaction {
  kind: Kind;
  id: string;
  state: string | null;
  amount_minor: number | null;
  currency: string | null;
  client_id: string | null;
  invoice_number: string | null;
  custom: string | null;
  /** `sender_batch_id`, `sender_item_id`. */
  sender_reference: string | null;
  created_at: Date;
}

/** By keyset, newest first; cursors as in the call history. */
export async function searchTransactions(
  database: Kysely<Tables>,
  filters: TransactionFilters,
  limit: number,
): Promise<{ transactions: FoundTransaction[]; older: string | null; newer: string | null }> {
  const { before, after, kind } = filters;
  const isForward = after !== undefined && before === undefined;
  const kinds = KINDS.filter((one) =>
    kind === undefined ? filters.text !== undefined || SOURCES[one].isListed : one === kind,
  );
  const order = sql.raw(isForward ? 'created_at, id' : 'created_at DESC, id DESC');
  // Each part is cut by itself: together they may be a hundred times what is shown.
  const parts = kinds.map(
    (one) => sql`(${rowsOf(one)} AND ${conditionOf(one, filters)} ORDER BY ${order} LIMIT ${limit + 1})`,
  );
  const { rows } = await sql<FoundTransaction>`
    SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS found ORDER BY ${order} LIMIT ${limit + 1}`.execute(
    database,
  );
  const transactions = isForward ? rows.slice(0, limit).toReversed() : rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const place = (row: FoundTransaction | undefined, isThere: boolean) =>
    row !== undefined && isThere ? writeCursor(row.created_at, row.id) : null;
  return {
    transactions,
    older: place(transactions.at(-1), isForward || hasMore),
    newer: place(transactions[0], isForward ? hasMore : before !== undefined),
  };
}

/** A transaction, and what belongs to it, in the order of time. */
export async function partsOf(
  database: Kysely<Tables>,
  id: string,
  limit: number,
): Promise<FoundTransaction[]> {
  const parts = KINDS.filter((kind) => SOURCES[kind].isListed).map(
    (kind) => sql`(${rowsOf(kind)} AND ${isNamed(kind, id)} ORDER BY created_at, id LIMIT ${limit})`,
  );
  const { rows } = await sql<FoundTransaction>`
    SELECT * FROM (${sql.join(parts, sql` UNION ALL `)}) AS found ORDER BY created_at, id LIMIT ${limit}`.execute(
    database,
  );
  return rows;
}

function rowsOf(kind: Kind): RawBuilder<unknown> {
  const { table, id = 'id', state, amount, client = 'client_id', invoice, custom, sender } = SOURCES[kind];
  const texts = { id, state, client_id: client, invoice_number: invoice, custom, sender_reference: sender };
  const columns = Object.entries(texts).map(([name, column]) => `${column ?? 'NULL'}::text AS ${name}`);
  const money =
    amount === true ? 'amount_minor, currency' : 'NULL::bigint AS amount_minor, NULL::text AS currency';
  return sql`SELECT ${sql.lit(kind)} AS kind, ${sql.raw(`${columns.join(', ')}, ${money}, created_at`)}
    FROM ${sql.raw(table)} WHERE ${sql.raw(id)} IS NOT NULL`;
}

function conditionOf(kind: Kind, filters: TransactionFilters): RawBuilder<unknown> {
  const { id = 'id', client = 'client_id' } = SOURCES[kind];
  const [idColumn, clientColumn] = [sql.raw(id), sql.raw(client)];
  const { clientId, accountId, environment, from, to, before, after } = filters;
  const conditions = [sql`TRUE`];
  if (filters.text !== undefined) conditions.push(isFound(kind, filters.text));
  if (clientId !== undefined) conditions.push(sql`${clientColumn} = ${clientId}`);
  const owners = sql`SELECT applications.client_id FROM applications
    JOIN accounts ON accounts.id = applications.account_id`;
  if (accountId !== undefined)
    conditions.push(sql`${clientColumn} IN (${owners} WHERE accounts.id = ${accountId})`);
  if (environment !== undefined)
    conditions.push(sql`${clientColumn} IN (${owners} WHERE accounts.environment = ${environment})`);
  if (from !== undefined) conditions.push(sql`created_at >= ${from}`);
  if (to !== undefined) conditions.push(sql`created_at <= ${to}`);
  if (before !== undefined) conditions.push(sql`(created_at, ${idColumn}) < (${before.at}, ${before.id})`);
  if (after !== undefined) conditions.push(sql`(created_at, ${idColumn}) > (${after.at}, ${after.id})`);
  return sql.join(conditions, sql` AND `);
}

function isFound(kind: Kind, searched: string): RawBuilder<unknown> {
  const { invoice, custom, sender } = SOURCES[kind];
  const part = `%${searched.replaceAll(/[\\%_]/g, '\\$&')}%`;
  const references = [invoice, custom, sender].filter((column) => column !== undefined);
  const conditions = references.map((column) => sql`${sql.raw(column)} ILIKE ${part}`);
  return sql`(${sql.join([isNamed(kind, searched), ...conditions], sql` OR `)})`;
}

/** By its own id, or one that it names. */
function isNamed(kind: Kind, searched: string): RawBuilder<unknown> {
  const { ids, by } = SOURCES[kind];
  const conditions = ids.map((column) => sql`${sql.raw(column)} = ${searched}`);
  if (by !== undefined) conditions.push(sql`id IN (${sql.raw(by)} = ${searched})`);
  return sql`(${sql.join(conditions, sql` OR `)})`;
}
