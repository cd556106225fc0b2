import { type Kysely, sql } from 'kysely';

const tables = ['payments', 'refunds', 'plans', 'subscriptions', 'payouts'];

/**
 * What a statement that writes a subject's row refuses is refused as a whole: nothing that was to be written beside it
 * stays. `task_started_at` tells the newest workflow task that has written the row, and
 * `task_version` the version of the run that it wrote last.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function raise_overtaken() returns bigint language plpgsql volatile as $$
    begin
      raise exception 'the row stands elsewhere by now' using errcode = 'PLE01';
    end $$`.execute(db);
  // An answer that leaves its step in doubt was kept like one that does not: nobody could decide on the step any more.
  await sql`update attempts set outcome = 'unknown'
    where outcome = 'answered' and event->>'type' = 'outcomeUnknown'`.execute(db);
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} add column task_started_at timestamptz,
      add column task_version integer`.execute(db);
  }
}
