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
import { recordJson, storableJson } from '../text/storable-text.js';
import { LateTaskError, commandEnded, endOnRecord } from './end-on-record.js';
import { outcomeAlone, transitionStatement } from './transition-statement.js';
import { transitionValues } from './transition-values.js';
import type { WriteCause } from './statement-parts.js';
import { type SubjectRecords, type Transition, newsIn } from './transition.js';
import { runPrepared } from '../connection/prepared.js';
import { releaseParkedEvents } from '../events/parked-events.js';

export { CommandEndedError, EndOnRecordError, LateTaskError } from './end-on-record.js';
export type { Transition } from './transition.js';

export interface NewAttempt {
  /** The step's permanent name: its action and command. It is the same for every way to the step. */
  readonly stepName: string;
  readonly attemptNumber: number;
  readonly step: StepOf;
  /** A repeat has the same request id and reference as the attempt before it. */
  readonly requestId: string;
  readonly reference: string;
  /** For this many milliseconds from now on this process may send the POST. */
  readonly sendWithinMs: number;
}

export interface NewOutcome {
  readonly attemptId: number;
  readonly outcome: AttemptOutcome;
  readonly event: LifecycleEvent;
  readonly at: Date;
}

/** Called when the write is committed, for those who wait for it. */
export type OnCommitted = () => void;

/** `late`: a newer task wrote first; only the attempt's outcome was recorded. */
export type RecordedOutcome = 'recorded' | 'late';

/**
 * Commits an attempt with the state of its step before the POST, so that a crash leaves evidence.
 *
 * @returns the attempt's id; undefined if this attempt has begun before.
 * @throws {EndOnRecordError} if the rows have an end that the writer does not know: then nothing may be sent.
 * @throws {CommandEndedError} if the step's command has a final outcome, such as a refusal: then nothing may be sent.
 */
export async function beginAttempt<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  attempt: NewAttempt,
): Promise<number | undefined> {
  try {
    return await write(db, transition, 'begin', attemptRecord(attempt));
  } catch (error) {
    // In both cases nothing of this statement was written. If both apply, the violation comes first (`refuseStatement`).
    if (isDuplicateOf(error, 'attempts_subject_id_step_name_attempt_number_key')) return undefined;
    if (!isOvertaken(error)) throw error;
    throw (await endOnRecord(db, transition)) ?? (await commandEnded(db, transition)) ?? error;
  }
}

/**
 * Commits the outcome of an attempt with the state that follows. Only an attempt that is open or has an unknown outcome
 * gets one: a late process cannot overwrite what has been proved since.
 *
 * If a newer task has written the subject's row, the outcome is recorded without the row, because it is evidence.
 *
 * @param onCommitted called once the outcome and the state are committed, before parked events are released.
 * @returns undefined if an outcome was recorded before; then nothing is written.
 * @throws {EndOnRecordError} if the rows have an end that the writer does not know.
 */
export async function writeAttemptOutcome<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  outcome: NewOutcome,
  onCommitted: OnCommitted = () => undefined,
): Promise<RecordedOutcome | undefined> {
  try {
    if ((await write(db, transition, 'outcome', outcomeRecord(outcome))) === undefined) return undefined;
    onCommitted();
    await releaseParkedEvents(db, transition);
    return 'recorded';
  } catch (error) {
    if (!isOvertaken(error)) throw error;
    const written = await runPrepared(db, outcomeAlone, [outcomeRecord(outcome)]);
    const end = await endOnRecord(db, transition);
    if (end) throw end;
    return written.length > 0 ? 'late' : undefined;
  }
}

function attemptRecord(attempt: NewAttempt): string {
  const { stepName, attemptNumber, step, requestId, reference, sendWithinMs } = attempt;
  const values = {
    step_name: stepName,
    attempt_number: attemptNumber,
    request_id: requestId,
    reference,
    send_within_ms: sendWithinMs,
  };
  return recordJson(values, { step: storableJson(step) });
}

function outcomeRecord({ attemptId, outcome, event, at }: NewOutcome): string {
  return recordJson({ attempt_id: attemptId, outcome, at }, { event: storableJson(event) });
}

async function write<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  cause: WriteCause,
  ...first: readonly string[]
): Promise<number | undefined> {
  const statement = transitionStatement(transition.records, cause, {
    hasNews: newsIn(transition).length > 0,
  });
  const rows = await runPrepared<{ id: number }>(db, statement, [...transitionValues(transition), ...first]);
  return rows[0]?.id;
}

/**
 * Commits a transition without an attempt, and releases the parked events that it makes known.
 *
 * @param onCommitted called between the two: callers do not wait for the release.
 * @throws {EndOnRecordError} if the rows have an end that the writer does not know.
 * @throws {LateTaskError} if a newer task of the run has written since.
 */
export async function writeTransition<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  onCommitted?: OnCommitted,
): Promise<void> {
  try {
    await writeWithoutAttempt(db, transition, onCommitted);
  } catch (error) {
    throw await refusalOf(error, db, transition);
  }
}

/**
 * Commits a transition together with other rows, in one transaction.
 *
 * @param save writes the other rows and returns the transition. If the transition is refused, all of it is rolled back.
 * @throws {EndOnRecordError} if the rows have an end that the writer does not know.
 * @throws {LateTaskError} if a newer task of the run has written since.
 */
export async function writeTransitionWithRows<State extends LifecycleState>(
  db: Database,
  save: (trx: DatabaseTransaction) => Promise<Transition<State>>,
): Promise<void> {
  let transition: Transition<State> | undefined;
  try {
    await db.transaction().execute(async (trx) => {
      transition = await save(trx);
      await writeWithoutAttempt(trx, transition);
    });
  } catch (error) {
    throw transition ? await refusalOf(error, db, transition) : error;
  }
}

/**
 * `writeTransition` for a writer that holds the lock of the subject's row, or reads the database's refusal by itself.
 *
 * @throws the error of the database if it refuses the statement (`isOvertaken`).
 */
export async function writeWithoutAttempt<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  onCommitted: OnCommitted = () => undefined,
): Promise<void> {
  const id = await write(db, transition, 'read');
  onCommitted();
  // Not for a late write: the newer writer has released the parked events.
  if (id !== undefined) await releaseParkedEvents(db, transition);
}

async function refusalOf<State extends LifecycleState>(
  error: unknown,
  db: Database,
  transition: Transition<State>,
): Promise<unknown> {
  return isOvertaken(error) ? ((await endOnRecord(db, transition)) ?? new LateTaskError()) : error;
}

/** The position of a subject in its row, from which a run continues. */
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

/** Every POST of a step, oldest first. A lookup searches for their references. */
export async function findAttempts(db: Database, subjectId: string, stepName: string): Promise<AttemptRow[]> {
  return await db
    .selectFrom('attempts')
    .selectAll()
    .where('subject_id', '=', subjectId)
    .where('step_name', '=', stepName)
    .orderBy('attempt_number')
    .execute();
}
