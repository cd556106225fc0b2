import { type Kysely, sql } from 'kysely';

/** When the latest recorded read or call began, for callers who have asked for a check. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['payments', 'refunds', 'plans', 'subscriptions', 'payouts'])
    await sql`alter table ${sql.table(table)} add column read_began_at timestamptz`.execute(db);
}
