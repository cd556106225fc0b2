import { sql } from 'kysely';
import type { RefundIdentity, Subject } from '#workflows/contract';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import type { AttemptRow, CommandResult, CommandRow } from '../schema/schema.js';
import { tableOf } from '../tables/subject-tables.js';
import { storableJson } from '../text/storable-text.js';
import { commandValues, type NewCommand, refuseCommand } from './command-rows.js';

/** Requests whose rows were lost are repeated by then. */
const repeatedWithin = sql`interval '1 day'`;

/** How old a row is that was lost and is written again: attempts that were lost with it are looked up. */
export const restoredMoment = sql<Date>`coalesce((select max(restored_to) from database_restores), now())`;

/** Records that the database was restored to an earlier moment: the rows written since that moment are lost. */
export async function recordRestore(db: Database, restoredTo: Date): Promise<void> {
  await db.insertInto('database_restores').values({ restored_to: restoredTo }).execute();
}

export interface Restore {
  /** The moment whose rows are there. */
  readonly restoredTo: Date;
  /** When it was recorded: no worker ran between the two. */
  readonly restoredAt: Date;
}

/** The latest restore. */
export async function findRestore(db: Database): Promise<Restore | undefined> {
  return await db
    .selectFrom('database_restores')
    .select(['restored_to as restoredTo', 'recorded_at as restoredAt'])
    .orderBy('recorded_at', 'desc')
    .limit(1)
    .executeTakeFirst();
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
 * @param reference of a payout: no other payout may have it.
 * @returns false if there is a command with this key.
 */
export async function rememberOrder(
  db: Database,
  command: NewCommand,
  reference: string | undefined,
): Promise<boolean> {
  const { environment, application, subjectId } = command;
  return await db.transaction().execute(async (trx) => {
    const rows = await trx
      .insertInto('commands')
      .values({ ...commandValues(command), status: 'executing' })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id')
      .execute();
    if (rows.length > 0 && reference !== undefined)
      await trx
        .insertInto('remembered_references')
        .values({ environment, application, reference, payout_id: subjectId })
        // The orders come latest first: an earlier one made no batch, and gave the reference up.
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    return rows.length > 0;
  });
}

/** The request that ordered a refund; undefined if it was refused, or nobody ordered it. */
export async function findRefundOrder(
  db: Database,
  { environment, application, refundId }: RefundIdentity,
): Promise<CommandRow | undefined> {
  return await db
    .selectFrom('commands')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('kind', '=', 'refund')
    .where('subject_id', '=', refundId)
    .where('status', '!=', 'refused')
    .executeTakeFirst();
}

/**
 * Whether an attempt without a row may have been sent before the restore: its subject and its command are older than
 * that, or it is a repeat of one that was lost.
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

const ended: CommandResult = { code: 'not_allowed_in_state', reason: 'It has ended.' };
const outcomeLost: CommandResult = {
  code: 'outcome_not_recorded',
  reason:
    'The database was restored to an earlier moment, so it is not recorded whether this request was carried out before.',
};

/** Refuses an accepted command whose subject has ended. */
export async function refuseAfterEnd(db: Database, command: AskedOf): Promise<void> {
  await refuseCommand(db, command.id, (await mayRepeatLost(db, command)) ? outcomeLost : ended);
}

type AskedOf = Pick<CommandRow, 'id' | 'subject_id'>;

/**
 * Whether a request may have been carried out before a restore, and the row that says so is lost: its subject is older
 * than the restore, and the request is not a day younger. Then the row of its subject cannot tell whether it is refused.
 */
export async function mayRepeatLost(db: Database, { id, subject_id: subjectId }: AskedOf): Promise<boolean> {
  const { rows } = await sql<{ mayRepeat: boolean }>`
    select exists (select from database_restores as restore
      join ${sql.table(tableOf({ id: subjectId }))} as subject on subject.created_at < restore.recorded_at
      left join commands as command on command.id = ${id}
      where subject.id = ${subjectId}
        and coalesce(command.created_at, clock_timestamp()) < restore.recorded_at + ${repeatedWithin}) as "mayRepeat"`.execute(
    db,
  );
  return rows[0]?.mayRepeat ?? false;
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
