import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { LifecycleState, Position } from '#workflows/lifecycle';
import { recordCalls } from '../calls/api-calls.js';
import type { Database } from '../connection/database.js';
import type { CommandResult } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';
import type { CommandOutcome, Transition } from './transition-rows.js';

/** The subject has come to an end that the writer does not know: that end stands, and nothing else was written. */
export class EndOnRecordError<State = unknown> extends Error {
  override readonly name = 'EndOnRecordError';
  constructor(readonly position: Position<State>) {
    super('the subject has come to an end already');
  }
}

/** Another workflow task of the run has written since the writer's began: the writer's is over, as far as the rows know. */
export class LateTaskError extends Error {
  override readonly name = 'LateTaskError';
  constructor() {
    super('a newer task of the run has written since');
  }
}

/** The command that a step was to be begun for has a final outcome, which its caller has been told. */
export class CommandEndedError extends Error {
  override readonly name = 'CommandEndedError';
  constructor(readonly reason: string) {
    super('the command has a final outcome already');
  }
}

/** @returns the error that tells of a command of the transition that nothing may be begun for; undefined where there is none. */
export async function commandEnded(
  db: Database,
  { commands = [] }: Pick<Transition, 'commands'>,
): Promise<CommandEndedError | undefined> {
  const begun = commands.filter(({ status }) => status === 'executing').map(({ commandId }) => commandId);
  const ended = await db
    .selectFrom('commands')
    .select(['status', 'result'])
    .where('id', 'in', ['', ...begun])
    .where('status', 'not in', ['accepted', 'executing'])
    .executeTakeFirst();
  return ended && new CommandEndedError(ended.result?.reason ?? `The request has ${ended.status} already.`);
}

/**
 * What is left to do with a transition that the subject's end has overtaken: its calls are kept, and whoever asked for
 * something gets an answer, for no run will give it.
 *
 * @returns the error that tells the writer of the end; undefined where the row has not ended.
 */
export async function endOnRecord<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
): Promise<EndOnRecordError<State> | undefined> {
  const { records, subject, calls = [], commands = [] } = transition;
  await recordCalls(db, subject, calls);
  const { rows } = await sql<Position<State>>`
    select state, version from ${sql.table(records.table)}
    where id = ${subject.id} and status = any(${records.ends}::text[])`.execute(db);
  const [position] = rows;
  if (!position) return undefined;
  for (const command of commands) await answerCommand(db, subject, command, position.state);
  return new EndOnRecordError(position);
}

/** What was about to be begun is not done any more; any other outcome is what it is. Of this subject's commands only. */
async function answerCommand(
  db: Database,
  { id: subjectId }: Subject,
  { commandId, status, result }: CommandOutcome,
  { status: end }: LifecycleState,
): Promise<void> {
  const overtaken: CommandResult = { code: 'not_allowed_in_state', reason: `It has ended ${end}.` };
  const isOpen = status === 'accepted' || status === 'executing';
  await db
    .updateTable('commands')
    .set({
      status: isOpen ? 'refused' : status,
      result: isOpen ? storableJson(overtaken) : result ? storableJson(result) : null,
      updated_at: sql`now()`,
    })
    .where('id', '=', commandId)
    // A message may have named any command.
    .where('subject_id', '=', subjectId)
    .where('status', 'in', ['accepted', 'executing'])
    .execute();
}
