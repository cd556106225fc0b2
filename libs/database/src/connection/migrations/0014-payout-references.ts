import { type Kysely, sql } from 'kysely';

/**
 * A reference names the order service's wish: one payout for each, unless it is proved that nothing was paid by the one
 * before. A release that does not know this yet cannot break it either: its order under a taken reference fails.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Nobody orders between the look at what is there and the index.
  `lock table payouts in share row exclusive mode`,
  `alter table payouts add column reference_freed boolean not null default false`,
  // Ordered twice before this: the first one keeps the reference, a declined one only where there is no other.
  `update payouts set reference_freed = true where reference is not null and id not in (
    select distinct on (environment, application, reference) id from payouts where reference is not null
    order by environment, application, reference, status = 'declined', id)`,
  `create unique index payouts_by_reference on payouts (environment, application, reference)
    where reference is not null and not reference_freed`,
];
