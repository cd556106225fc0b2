import { sql } from 'kysely';
import type { Database } from './database.js';

/**
 * Works while it holds a lock of that name, which the end of this process releases, too.
 *
 * @returns undefined at once if another process holds it: a wait would keep a connection for as long.
 */
export async function withTriedLock<T>(
  db: Database,
  name: string,
  work: (trx: Database) => Promise<T>,
): Promise<T | undefined> {
  return await db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ is_mine: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as is_mine`.execute(trx);
    return rows[0]?.is_mine === true ? await work(trx) : undefined;
  });
}
