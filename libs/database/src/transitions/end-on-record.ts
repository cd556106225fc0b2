import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { LifecycleState, Position } from '#workflows/lifecycle';
import { recordCalls } from '../calls/api-calls.js';
import type { Database } from '../connection/database.js';
import type { CommandResult } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';
import type { CommandOutcome, Transition } from './transition.js';

/** The row has an end that the writer does not know. The end stays, and nothing was written. */
export class EndOnRecordError<State = unknown> extends Error {
  override readonly name = 'EndOnRecordError';
  constructor(readonly position: Position<State>) {
    super('the subject has come to an end already');
  }
}

/** A newer workflow task of the run has written since the writer's task began. Nothing was written. */
export class LateTaskError extends Error {
  override readonly name = 'LateTaskError';
  constructor() {
    super('a newer task of the run has written since');
  }
}

/** The command of the step has a final outcome, which its caller knows. */
export class CommandEndedError extends Error {
  override readonly name = 'CommandEndedError';
  constructor(readonly reason: string) {
    super('the command has a final outcome already');
  }
}

/** @returns the error if a command of the transition has a final outcome, so that no step may begin for it. */
export async function commandEnded(
  db: Database,
  { commands = [] }: Pick<Transition, 'commands'>,
): Promise<CommandEndedError | undefined> {
  const begun = commands.filter(({ status }) => status === 'executing').map(({ commandId }) => commandId);
  const rows = await db
    .selectFrom('commands')
    .select(['id', 'status', 'result'])
    .where('id', 'in', ['', ...begun])
    .where('status', 'not in', ['accepted', 'executing'])
    .execute();
  // Of several, the one that the transition names first.
  const [ended] = rows.toSorted((one, other) => begun.indexOf(one.id) - begun.indexOf(other.id));
  return ended && new CommandEndedError(ended.result?.reason ?? `The request has ${ended.status} already.`);
}

/**
 * Handles a transition that was refused because the subject has ended: records its calls, and answers its commands,
 * because no run will answer them.
 *
 * @returns the error for the writer; undefined if the row has not ended.
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
  for (const command of commands) {
    const isDone = command.isUncalled !== true || position.state.status === transition.state.status;
    await answerCommand(db, subject, isDone ? command : notBegun(command), position.state);
  }
  return new EndOnRecordError(position);
}

function notBegun(command: CommandOutcome): CommandOutcome {
  return { ...command, status: 'accepted' };
}

/** A command that was about to begin is refused. Any other outcome is recorded. */
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
    // A message may name any command.
    .where('subject_id', '=', subjectId)
    .where('status', 'in', ['accepted', 'executing'])
    .execute();
}
