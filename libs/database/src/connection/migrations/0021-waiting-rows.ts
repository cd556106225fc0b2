import { type Kysely, sql } from 'kysely';

/**
 * Since when a payment's row waits: its run writes, but does not know again a final part that the row shows. Null: the row
 * shows what its run has written last.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column waits_since timestamptz`.execute(db);
}
