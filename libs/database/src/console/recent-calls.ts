import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import { ownersTable } from '../tables/owners-table.js';
import { ofSpan } from '../tables/rows-of-time.js';

/** How a call to the provider went. */
export interface RecentCall extends Owner {
  readonly started_at: Date;
  readonly duration_ms: number;
  /** No answer, too many requests, or an error of the provider's. */
  readonly is_failed: boolean;
}

/** @param limit the most calls to read, of all applications together: however many there are, this is quick. */
export async function listRecentCalls(
  db: Database,
  owners: readonly Owner[],
  { since, limit }: { readonly since: Date; readonly limit: number },
): Promise<RecentCall[]> {
  const isRecent = await ofSpan(db, 'api_calls', { from: since });
  const { rows } = await sql<RecentCall>`
    with owners as (${ownersTable(owners)})
    select environment, application, started_at, duration_ms,
      status is null or status = 429 or status >= 500 as is_failed
    from (select * from api_calls where ${isRecent} order by id desc limit ${limit}) as latest
    join owners using (environment, application)`.execute(db);
  return rows;
}
