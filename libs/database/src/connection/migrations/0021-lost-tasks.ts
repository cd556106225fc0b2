import { type Kysely, sql } from 'kysely';

/**
 * What a lost workflow task leaves in the rows. `waits_since`: the payment's row waits, because its run writes and does not
 * know again a final part that the row shows. `is_superseded`: a timeline line that the run has not written again.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table payments add column waits_since timestamptz`.execute(db);
  await sql`alter table timeline add column is_superseded boolean not null default false`.execute(db);
}
