import { sql, type Kysely } from 'kysely';
import type { CallRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { writeCursor, type CallFilters } from './call-filters.js';

/** The fields of a list, without the bodies. */
const LISTED = [
  'id',
  'client_id',
  'account_id',
  'environment',
  'operation',
  'method',
  'path',
  'query',
  'request_id',
  'transaction_id',
  'status',
  'fault',
  'started_at',
  'finished_at',
] as const;

export type ListedCall = Pick<CallRow, (typeof LISTED)[number]>;

export interface CallPage {
  /** Newest first. */
  calls: ListedCall[];
  /** Cursor of the page before or after in time; null at either end. */
  older: string | null;
  newer: string | null;
}

/** A page of ended calls by keyset: calls that arrive meanwhile do not move it. */
export async function findCalls(
  database: Kysely<Tables>,
  filters: CallFilters,
  limit: number,
): Promise<CallPage> {
  const { before, after } = filters;
  let query = filtered(database, filters).select(LISTED);
  if (before !== undefined)
    query = query.where(sql<boolean>`(started_at, id) < (${before.at}, ${before.id})`);
  if (after !== undefined) query = query.where(sql<boolean>`(started_at, id) > (${after.at}, ${after.id})`);
  const direction = after !== undefined && before === undefined ? 'asc' : 'desc';
  const rows = await query
    .orderBy('started_at', direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute();
  const hasMore = rows.length > limit;
  const calls = direction === 'asc' ? rows.slice(0, limit).toReversed() : rows.slice(0, limit);
  const [newest, oldest] = [calls[0], calls.at(-1)];
  const isOlderThere = direction === 'asc' ? oldest !== undefined : hasMore;
  const isNewerThere = direction === 'asc' ? hasMore : before !== undefined;
  return {
    calls,
    older: isOlderThere && oldest !== undefined ? writeCursor(oldest.started_at, oldest.id) : null,
    newer: isNewerThere && newest !== undefined ? writeCursor(newest.started_at, newest.id) : null,
  };
}

/** The newest calls about any of these transactions. */
export function findCallsAbout(
  database: Kysely<Tables>,
  transactionIds: readonly string[],
  limit: number,
): Promise<ListedCall[]> {
  return database
    .selectFrom('calls')
    .select(LISTED)
    .where('transaction_id', 'in', transactionIds)
    .orderBy('started_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}

/** @throws ApiError INVALID_RESOURCE_ID for a call that is not, or no longer, in the history. */
export async function findCall(database: Kysely<Tables>, id: string): Promise<CallRow> {
  const call = await database.selectFrom('calls').selectAll().where('id', '=', id).executeTakeFirst();
  if (call === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return call;
}

function filtered(database: Kysely<Tables>, filters: CallFilters) {
  let query = database.selectFrom('calls');
  if (filters.clientId !== undefined) query = query.where('client_id', '=', filters.clientId);
  if (filters.accountId !== undefined) query = query.where('account_id', '=', filters.accountId);
  if (filters.environment !== undefined) query = query.where('environment', '=', filters.environment);
  if (filters.from !== undefined) query = query.where('started_at', '>=', filters.from);
  if (filters.to !== undefined) query = query.where('started_at', '<=', filters.to);
  if (filters.status !== undefined) {
    const leading = Number(filters.status.charAt(0));
    // Repeated in the terms of the index.
    if (leading >= 4) query = query.where('status', '>=', 400);
    query = filters.status.endsWith('xx')
      ? query.where(sql<boolean>`(status / 100) = ${leading}::integer`)
      : query.where('status', '=', Number(filters.status));
  }
  const { text } = filters;
  if (text === undefined) return query;
  const part = `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`;
  return query.where((where) =>
    where.or([where('transaction_id', '=', text), sql<boolean>`(path || '?' || query) ILIKE ${part}`]),
  );
}
