import { type Kysely, sql } from 'kysely';

/**
 * One payout for each reference of an order service, unless it is proved that the earlier payout paid nothing. This holds
 * for an older release, too: its order under a used reference fails.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // No order is written between the update and the index.
  `lock table payouts in share row exclusive mode`,
  `alter table payouts add column reference_freed boolean not null default false`,
  // Of earlier payouts with the same reference the first one keeps it; a declined one only if there is no other.
  `update payouts set reference_freed = true where reference is not null and id not in (
    select distinct on (environment, application, reference) id from payouts where reference is not null
    order by environment, application, reference, status = 'declined', id)`,
  `create unique index payouts_by_reference on payouts (environment, application, reference)
    where reference is not null and not reference_freed`,
];
