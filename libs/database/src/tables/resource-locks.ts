import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';

/** Waits for transactions that record one of these ids, and makes later ones wait. */
export async function lockResourceIds(trx: Database, owner: Owner, ids: readonly string[]): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${lockKey(owner, sql`id`)})
    from unnest(${inLockOrder(ids, (id) => id)}::text[]) as id`.execute(trx);
}

/** All transactions lock in the same order; otherwise two of them could deadlock. */
export function inLockOrder<T>(items: readonly T[], idOf: (item: T) => string): T[] {
  return items.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1));
}

export function lockKey({ environment, application }: Owner, id: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`hashtextextended(${`${environment}/${application}/`} || ${id}, 0)`;
}
