import { sql } from 'kysely';
import type { Database } from '#database/connection';

/**
 * How many statements of a database wait for a lock.
 *
 * @param db not a transaction: all its looks at the sessions show what the first one has seen.
 */
export async function waitingForLocks(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`select count(*)::int as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  return rows[0]?.waiting ?? 0;
}
