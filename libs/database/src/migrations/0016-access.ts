import { type Kysely, sql } from 'kysely';

/** What stands behind a payer's cancellation (docs/decisions/0021). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['payments', 'subscriptions']) {
    await sql`alter table ${sql.table(table)} add column payer_cancelled_at timestamptz`.execute(db);
  }
}
