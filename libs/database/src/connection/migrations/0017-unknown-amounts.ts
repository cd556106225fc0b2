import { type Kysely, sql } from 'kysely';

/** For a chargeback that ended without an amount: when the provider was last asked for it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table refunds add column amount_asked_at timestamptz`.execute(db);
  await sql`create index refunds_of_unknown_amount on refunds (environment, application, amount_asked_at)
    where kind = 'reversal' and status = 'completed' and minor is null`.execute(db);
}
