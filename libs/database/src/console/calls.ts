import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { ofSpan } from '../tables/rows-of-time.js';
import { type CallFacts, callFacts } from '../calls/api-calls.js';

export interface CallFilter extends Partial<Owner> {
  readonly subjectId?: string | undefined;
  readonly method?: string | undefined;
  /** A whole status, its first digit, or `none` for calls without an answer. */
  readonly status?: string | undefined;
  /** A part of the address. */
  readonly path?: string | undefined;
  readonly transactionId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export interface ShownCall extends CallFacts, Owner {
  readonly id: number;
  readonly subject_id: string | null;
}

const shown = ['id', 'environment', 'application', 'subject_id', ...callFacts] as const;

/** The calls to the provider without their bodies, the latest recorded one first. */
export async function listCalls(db: Database, filter: CallFilter): Promise<ShownCall[]> {
  let calls = db.selectFrom('api_calls').select(shown);
  if (filter.environment !== undefined) calls = calls.where('environment', '=', filter.environment);
  if (filter.application !== undefined) calls = calls.where('application', '=', filter.application);
  if (filter.subjectId !== undefined) calls = calls.where('subject_id', '=', filter.subjectId);
  if (filter.method !== undefined) calls = calls.where('method', '=', filter.method);
  if (filter.transactionId !== undefined) calls = calls.where('transaction_id', '=', filter.transactionId);
  if (filter.path !== undefined) calls = calls.where(hasInPath(filter.path, filter));
  if (filter.from || filter.to) calls = calls.where(await ofSpan(db, 'api_calls', filter));
  if (filter.before !== undefined) calls = calls.where('id', '<', filter.before);
  const { status } = filter;
  if (status === 'none') calls = calls.where('status', 'is', null);
  else if (status !== undefined) {
    const [least, most] =
      status.length === 1
        ? [Number(status) * 100, Number(status) * 100 + 99]
        : [Number(status), Number(status)];
    calls = calls.where('status', '>=', least).where('status', '<=', most);
  }
  return await calls.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** So many of the latest calls are looked through for a part of an address. */
export const mostLookedThrough = 2_000;

/** No index has the parts of addresses: without another filter that names few calls, only the latest are looked through. */
function hasInPath(
  path: string,
  { from, to, subjectId, transactionId, before }: CallFilter,
): RawBuilder<boolean> {
  const isIn = sql<boolean>`strpos(path, ${path}) > 0`;
  if (from || to || subjectId !== undefined || transactionId !== undefined) return isIn;
  const latest = sql`coalesce(${before ?? null}::bigint - 1, (select max(id) from api_calls))`;
  return sql<boolean>`(${isIn} and id > ${latest} - ${mostLookedThrough})`;
}

/** A call with its redacted headers and bodies. */
export async function findCall(db: Database, id: number) {
  return await db
    .selectFrom('api_calls')
    .select([...shown, 'request', 'response', 'request_headers', 'response_headers'])
    .where('id', '=', id)
    .executeTakeFirst();
}
