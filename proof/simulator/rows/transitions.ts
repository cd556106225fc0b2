import { CommandEndedError, EndOnRecordError, LateTaskError } from '#database/transitions/end-on-record.js';
import type { AttemptRow } from '#database/schema';
import type { SubjectRecords, Transition } from '#database/transitions';
import type {
  NewAttempt,
  NewOutcome,
  OnCommitted,
  RecordedOutcome,
} from '#database/transitions/write-transition.js';
import type { Subject } from '#workflows/contract';
import type { LifecycleState, Position } from '#workflows/lifecycle';
import { simulated } from './database.js';
import type { CommandRow } from './row-types.js';
import { OvertakenError } from './rows.js';

/** In the place of libs/database/src/transitions/write-transition.ts. */

export { CommandEndedError, EndOnRecordError, LateTaskError };

export async function beginAttempt<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
  attempt: NewAttempt,
): Promise<number | undefined> {
  try {
    return await simulated(db).run((rows) => rows.beginAttempt(transition, attempt));
  } catch (error) {
    if (!(error instanceof OvertakenError)) throw error;
    throw (await endOnRecord(db, transition)) ?? (await commandEnded(db, transition)) ?? error;
  }
}

export async function writeAttemptOutcome<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
  outcome: NewOutcome,
  onCommitted: OnCommitted = () => undefined,
): Promise<RecordedOutcome | undefined> {
  try {
    const isRecorded = await simulated(db).run((rows) => rows.writeAttemptOutcome(transition, outcome));
    if (!isRecorded) return undefined;
    onCommitted();
    return 'recorded';
  } catch (error) {
    if (!(error instanceof OvertakenError)) throw error;
    const isRecorded = await simulated(db).run((rows) => rows.recordOutcome(outcome));
    const end = await endOnRecord(db, transition);
    if (end) throw end;
    return isRecorded ? 'late' : undefined;
  }
}

export async function writeTransition<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
  onCommitted: OnCommitted = () => undefined,
): Promise<void> {
  await writeTransitionWithRows(db, async () => transition);
  onCommitted();
}

export async function writeTransitionWithRows<State extends LifecycleState>(
  db: unknown,
  save: (trx: never) => Promise<Transition<State>>,
): Promise<void> {
  let transition: Transition<State> | undefined;
  try {
    await simulated(db)
      .transaction()
      .execute(async (trx) => {
        transition = await save(trx as never);
        const written = transition;
        await trx.run((rows) => rows.writeTransition(written));
      });
  } catch (error) {
    if (!transition || !(error instanceof OvertakenError)) throw error;
    throw (await endOnRecord(db, transition)) ?? new LateTaskError();
  }
}

/** As libs/database/src/transitions/end-on-record.ts: one statement after the other, and a process may die between them. */
async function endOnRecord<State extends LifecycleState>(
  db: unknown,
  transition: Transition<State>,
): Promise<EndOnRecordError<State> | undefined> {
  const { records, subject, calls = [], commands = [] } = transition;
  if (calls.length > 0) await simulated(db).run((rows) => rows.recordCalls(subject.id, calls));
  const row = await simulated(db).run((rows) => rows.subjects.get(subject.id));
  if (!row || !records.ends.includes(row.status)) return undefined;
  const position = { state: row.state as State, version: row.version };
  for (const command of commands) {
    await simulated(db).run((rows) => rows.commands.answer(transition, command, position.state));
  }
  await simulated(db).run((rows) => rows.timelines.adopt(row));
  return new EndOnRecordError(position);
}

async function commandEnded(
  db: unknown,
  { commands = [] }: Pick<Transition, 'commands'>,
): Promise<CommandEndedError | undefined> {
  const begun = commands.filter(({ status }) => status === 'executing');
  const ended = await simulated(db).run((rows) =>
    begun.map(({ commandId }) => rows.commands.get(commandId)).find((row) => row && isFinal(row)),
  );
  return ended && new CommandEndedError(ended.result?.reason ?? `The request has ${ended.status} already.`);
}

function isFinal({ status }: Pick<CommandRow, 'status'>): boolean {
  return status !== 'accepted' && status !== 'executing';
}

export async function findPosition<State>(
  db: unknown,
  _records: SubjectRecords<State>,
  { id }: Subject,
): Promise<Position<State> | undefined> {
  return await simulated(db).run((rows) => {
    const row = rows.subjects.get(id);
    if (row) rows.timelines.adopt(row);
    return row && { state: row.state as State, version: row.version };
  });
}

export async function findAttempts(db: unknown, subjectId: string, stepName: string): Promise<AttemptRow[]> {
  return await simulated(db).run((rows) => rows.findAttempts(subjectId, stepName));
}
