import { sql } from 'kysely';
import type { LifecycleEvent, LifecycleState, Position } from '#workflows/lifecycle';
import type { Subject } from '#workflows/contract';
import type { StepOf } from '#workflows/lifecycle/step';
import {
  type Database,
  type DatabaseTransaction,
  isDuplicateOf,
  isOvertaken,
} from '../connection/database.js';
import type { AttemptOutcome, AttemptRow } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';
import { LateTaskError, commandEnded, endOnRecord } from './end-on-record.js';
import { type SubjectRecords, type Transition, commitTogether, rowsOf } from './transition-rows.js';
import { releaseParkedEvents } from './parked-events.js';

export { CommandEndedError, EndOnRecordError, LateTaskError } from './end-on-record.js';
export type { Transition } from './transition-rows.js';

export interface NewAttempt {
  /** What it does and for which command: the same whatever led to it. */
  readonly stepName: string;
  readonly attemptNumber: number;
  readonly step: StepOf;
  /** Those of the attempt before it, where this one repeats it. */
  readonly requestId: string;
  readonly reference: string;
  /** Milliseconds from now on in which this process may still send the POST. */
  readonly sendWithinMs: number;
}

export interface NewOutcome {
  readonly attemptId: number;
  readonly outcome: AttemptOutcome;
  readonly event: LifecycleEvent;
  readonly at: Date;
}

/** `late` where the rows have moved on without it: whoever goes on does not know of it yet. */
export type RecordedOutcome = 'recorded' | 'late';

/**
 * Commits an attempt together with the state that it is made in: before the POST, so that a crash leaves evidence.
 *
 * @returns the attempt's id, or undefined when this attempt was begun before, by whomever.
 * @throws {EndOnRecordError} when the subject has come to an end that the writer does not know: then nothing may be sent.
 * @throws {CommandEndedError} when the step's command has a final outcome, such as a refusal: then nothing may be sent.
 */
export async function beginAttempt<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  attempt: NewAttempt,
): Promise<number | undefined> {
  const inserted = db
    .insertInto('attempts')
    .values({
      subject_id: transition.subject.id,
      step_name: attempt.stepName,
      attempt_number: attempt.attemptNumber,
      step: storableJson(attempt.step),
      request_id: attempt.requestId,
      reference: attempt.reference,
      // By the database's clock, against which whoever carries the step on measures.
      begun_at: sql<Date>`clock_timestamp()`,
      send_by: sql<Date>`clock_timestamp() + ${attempt.sendWithinMs} * interval '1 millisecond'`,
      outcome: null,
      event: null,
      settled_at: null,
    })
    .returning('id');
  try {
    return await commitTogether(db, inserted, rowsOf(db, transition, 'begin'));
  } catch (error) {
    // Either way nothing of this statement was written.
    if (isDuplicateOf(error, 'attempts_subject_id_step_name_attempt_number_key')) return undefined;
    if (!isOvertaken(error)) throw error;
    throw (await endOnRecord(db, transition)) ?? (await commandEnded(db, transition)) ?? error;
  }
}

/**
 * Commits what came of an attempt together with the state that follows. Only an attempt that is still open, or in
 * doubt, takes an outcome: a process that was thought dead cannot overwrite what has been proved since.
 *
 * Where the subject's row has moved on, the outcome is recorded without it: what came of a call is evidence,
 * whoever goes by it.
 *
 * @returns undefined when an outcome had been recorded before; then nothing is written.
 * @throws {EndOnRecordError} when the subject has come to an end that the writer does not know.
 */
export async function writeAttemptOutcome<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  outcome: NewOutcome,
): Promise<RecordedOutcome | undefined> {
  try {
    return await db.transaction().execute(async (trx): Promise<RecordedOutcome> => {
      const id = await commitTogether(trx, outcomeWrite(trx, outcome), rowsOf(trx, transition, 'outcome'));
      if (id === undefined) throw new OutcomeKnownError();
      // A statement of its own: it must see what the dispatcher parked while we waited for the subject's lock.
      await releaseParkedEvents(trx, transition);
      return 'recorded';
    });
  } catch (error) {
    if (error instanceof OutcomeKnownError) return undefined;
    if (!isOvertaken(error)) throw error;
    const written = await outcomeWrite(db, outcome).executeTakeFirst();
    const end = await endOnRecord(db, transition);
    if (end) throw end;
    return written && 'late';
  }
}

function outcomeWrite(db: Database, { attemptId, outcome, event, at }: NewOutcome) {
  return db
    .updateTable('attempts')
    .set({ outcome, event: storableJson(event), settled_at: at })
    .where('id', '=', attemptId)
    .where((where) => where.or([where('outcome', 'is', null), where('outcome', '=', 'unknown')]))
    .returning('id');
}

/** Takes back what the same statement wrote beside the attempt. */
class OutcomeKnownError extends Error {
  override readonly name = 'OutcomeKnownError';
}

/**
 * Commits a transition that made no attempt: a read may have shown what a parked event is about.
 *
 * @throws {EndOnRecordError} when the subject has come to an end that the writer does not know.
 * @throws {LateTaskError} when a newer task of the run has written since.
 */
export async function writeTransition<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
): Promise<void> {
  await writeTransitionAlong(db, async () => transition);
}

/**
 * The same along with other rows, in one transaction.
 *
 * @param save writes the others, and returns the transition that they come to. All of it is taken back where the
 * subject's row stands elsewhere by now.
 * @throws {EndOnRecordError} when the subject has come to an end that the writer does not know.
 * @throws {LateTaskError} when a newer task of the run has written since.
 */
export async function writeTransitionAlong<State extends LifecycleState>(
  db: Database,
  save: (trx: DatabaseTransaction) => Promise<Transition<State>>,
): Promise<void> {
  let transition: Transition<State> | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      transition = await save(trx);
      const [first, ...others] = rowsOf(trx, transition, 'reading');
      const isWritten = first && (await commitTogether(trx, first, others)) !== undefined;
      // Who writes late has read an older state than the one that stands: whoever wrote that has released them.
      if (isWritten) await releaseParkedEvents(trx, transition);
    });
  } catch (error) {
    if (!transition || !isOvertaken(error)) throw error;
    throw (await endOnRecord(db, transition)) ?? new LateTaskError();
  }
}

/** Where a subject stands by its rows, as a run goes on from it. */
export async function findPosition<State>(
  db: Database,
  { table }: SubjectRecords<State>,
  { environment, application, id }: Subject,
): Promise<Position<State> | undefined> {
  const { rows } = await sql<Position<State>>`
    select state, version from ${sql.table(table)}
    where id = ${id} and environment = ${environment} and application = ${application}`.execute(db);
  return rows[0];
}

/** Every POST of a step, oldest first: their references are what a lookup searches for. */
export async function findAttempts(db: Database, subjectId: string, stepName: string): Promise<AttemptRow[]> {
  return await db
    .selectFrom('attempts')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .where('step_name', '=', stepName)
    .orderBy('attempt_number')
    .execute();
}
