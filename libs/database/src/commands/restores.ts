import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import type { AttemptRow } from '../schema/schema.js';
import { tableOf } from '../tables/subject-tables.js';
import { storableJson } from '../text/storable-text.js';
import { commandValues, type NewCommand } from './command-rows.js';

/** Requests whose rows were lost are repeated by then. */
const repeatedWithin = sql`interval '1 day'`;

/** Records that the database was restored to an earlier moment: the rows written since that moment are lost. */
export async function recordRestore(db: Database, restoredTo: Date): Promise<void> {
  await db.insertInto('database_restores').values({ restored_to: restoredTo }).execute();
}

/** When the latest restore was recorded. */
export async function findRestore(db: Database): Promise<Date | undefined> {
  const row = await db
    .selectFrom('database_restores')
    .select(({ fn }) => fn.max('recorded_at').as('at'))
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/**
 * Whether rows of refunds can be missing: the database was restored, and the search of the provider's events, which finds
 * them, has not come to the moment of the restore yet.
 */
export async function mayMissRefunds(db: Database, { environment, application }: Owner): Promise<boolean> {
  const { rows } = await sql<{ mayMiss: boolean }>`
    select exists (select from database_restores where recorded_at > coalesce((select events_until from reconciliations
      where environment = ${environment} and application = ${application}), '-infinity')) as "mayMiss"`.execute(
    db,
  );
  return rows[0]?.mayMiss ?? true;
}

/**
 * Writes the row of an order that was lost in a restore; its run knows the key. A repeat of the order finds it.
 *
 * @returns false if there is a command with this key.
 */
export async function rememberOrder(db: Database, command: NewCommand): Promise<boolean> {
  const rows = await db
    .insertInto('commands')
    .values({ ...commandValues(command), status: 'executing' })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute();
  return rows.length > 0;
}

/**
 * Whether an attempt without a row may have been sent before the restore: its subject is older than that, and so is its
 * command, or it is a repeat of one that was lost.
 */
export async function mayHaveLostAttempt(
  db: Database,
  { id }: Subject,
  commandId: string | undefined,
  restoredAt: Date,
): Promise<boolean> {
  const { rows } = await sql<{ isOld: boolean }>`
    select subject.created_at < ${restoredAt} and coalesce(command.created_at < ${restoredAt}::timestamptz + ${repeatedWithin}, true)
      as "isOld"
    from ${sql.table(tableOf({ id }))} as subject left join commands as command on command.id = ${commandId ?? null}
    where subject.id = ${id}`.execute(db);
  return rows[0]?.isOld ?? true;
}

/** An attempt that the run knows and whose row was lost in a restore. */
export type LostAttempt = Pick<
  AttemptRow,
  'step_name' | 'attempt_number' | 'request_id' | 'reference' | 'step'
>;

/** Writes the rows of lost attempts again, without an outcome. */
export async function writeLostAttempts(
  db: Database,
  subjectId: string,
  attempts: readonly LostAttempt[],
): Promise<void> {
  for (const { step, ...attempt } of attempts) {
    await sql`
      insert into attempts (subject_id, step_name, attempt_number, step, request_id, reference, begun_at, send_by)
      values (${subjectId}, ${attempt.step_name}, ${attempt.attempt_number}, ${storableJson(step)},
        ${attempt.request_id}, ${attempt.reference}, clock_timestamp(), clock_timestamp())
      on conflict do nothing`.execute(db);
  }
}
