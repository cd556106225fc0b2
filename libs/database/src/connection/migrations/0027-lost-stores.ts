import { type Kysely, sql } from 'kysely';

/**
 * When this database was restored to an earlier moment, as operators have told.
 *
 * How many runs the last round of reconciliation found unknown to Temporal: many show that its store was lost.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table database_restores (
    restored_to timestamptz not null,
    recorded_at timestamptz not null default clock_timestamp()
  )`.execute(db);
  await sql`alter table reconciliations add column runs_unknown integer not null default 0`.execute(db);
}
