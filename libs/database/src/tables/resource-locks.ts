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

/** @param owner texts, or what stands for them in a statement. */
export function lockKey(
  { environment, application }: Readonly<Record<keyof Owner, unknown>>,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`hashtextextended(${environment}::text || '/' || ${application}::text || '/' || ${id}, 0)`;
}
