import { type Kysely, sql } from 'kysely';

/** With the amounts, so that the totals of a payout are counted from the index alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index payout_items_with_amounts on payout_items (payout_id, status, position)
    include (minor)`.execute(db);
  await sql`drop index payout_items_by_status`.execute(db);
}
