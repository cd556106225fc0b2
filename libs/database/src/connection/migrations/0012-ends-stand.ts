import { type Kysely, sql } from 'kysely';

const tables = ['payments', 'refunds', 'plans', 'subscriptions', 'payouts'];

/**
 * A refused write of a subject's row refuses its whole statement. `task_started_at` is the start of the newest workflow
 * task that has written the row. `task_version` is the run's version that this task wrote last.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function raise_overtaken() returns bigint language plpgsql volatile as $$
    begin
      raise exception 'the row stands elsewhere by now' using errcode = 'PLE01';
    end $$`.execute(db);
  // Answers that left their step's outcome unknown were recorded as answered, so no review could decide the step.
  await sql`update attempts set outcome = 'unknown'
    where outcome = 'answered' and event->>'type' = 'outcomeUnknown'`.execute(db);
  for (const table of tables) {
    await sql`alter table ${sql.table(table)} add column task_started_at timestamptz,
      add column task_version integer`.execute(db);
  }
}
