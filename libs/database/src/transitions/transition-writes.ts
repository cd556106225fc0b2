import { sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { LifecycleState, TimelineEntry } from '#workflows/lifecycle';
import { apiCallValues } from '../calls/api-calls.js';
import { policyKeyPrefix } from '../commands/command-rows.js';
import type { Database } from '../connection/database.js';
import { resourceRows } from './resources.js';
import { subjectRow } from './subject-row.js';
import {
  type WriteCause,
  type CommandOutcome,
  type Transition,
  type Write,
  hasEnded,
  refuseStatement,
} from './transition.js';
import type { CommandStatus } from '../schema/schema.js';
import { storableJson, storableText } from '../text/storable-text.js';

/**
 * Sends all writes as one statement: one round trip, and all of them or none. These round trips are most of the time
 * between the provider's answer and the caller's.
 *
 * @param first returns the id of the row that it wrote. Other writes can read it as `first` (`refuseStatement`).
 * @returns that id; undefined if it wrote none. The other writes are made in both cases.
 */
export async function commitTogether(
  db: Database,
  first: Write,
  others: readonly Write[],
): Promise<number | undefined> {
  const named = others.map((write, n) => sql`${sql.ref(`write_${n}`)} as (${write})`);
  const { rows } = await sql<{ id: number }>`
    with ${sql.join([sql`first as (${first})`, ...named])} select id from first`.execute(db);
  return rows[0]?.id;
}

/** The writes of a transition. The first one locks the subject's row, as the dispatcher of events does. */
export function writesOf<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  cause: WriteCause,
): Write[] {
  const { records, subject, state, timeline, calls = [], commands = [] } = transition;
  const resources = records.resourcesOf(state);
  const writes: Write[] = [subjectRow(transition, cause)];
  if (resources.length > 0) writes.push(resourceRows(subject, resources));
  if (timeline.length > 0) {
    writes.push(
      db
        .insertInto('timeline')
        .values(timeline.map((entry) => timelineValues(subject.id, entry)))
        // An existing entry was written in a lost workflow task: the run's own entry replaces it.
        .onConflict((conflict) =>
          conflict.columns(['subject_id', 'version']).doUpdateSet((row) => ({
            event: row.ref('excluded.event'),
            kind: row.ref('excluded.kind'),
            from_status: row.ref('excluded.from_status'),
            to_status: row.ref('excluded.to_status'),
            detail: row.ref('excluded.detail'),
            command_id: row.ref('excluded.command_id'),
            at: row.ref('excluded.at'),
          })),
        ),
    );
  }
  writes.push(...commands.map((command) => commandRow(db, subject, command, cause)));
  if (hasEnded(transition)) writes.push(leftCommands(db, transition));
  writes.push(...(records.besides?.(transition) ?? []));
  if (calls.length > 0) {
    writes.push(db.insertInto('api_calls').values(calls.map((call) => apiCallValues(subject, call))));
  }
  return writes;
}

/**
 * The write of a command's row. A final outcome does not change, because its caller knows it. If a step is begun for a
 * command with a final outcome, the whole statement is refused.
 */
function commandRow(db: Database, subject: Subject, command: CommandOutcome, cause: WriteCause): Write {
  const result = command.result ? storableJson(command.result) : null;
  const isOpen = sql<boolean>`commands.status in ('accepted', 'executing')`;
  const isBegun = cause === 'begin' && command.status === 'executing';
  const status = isBegun
    ? sql<CommandStatus>`case when ${isOpen} then ${command.status} else ${refuseStatement(cause)}::text end`
    : command.status;
  if (!isOwnCommand(subject, command.commandId)) {
    // A message may name any command: no row is inserted for it, and no row of another subject or kind is changed.
    return db
      .updateTable('commands')
      .set({ status, result, updated_at: sql`now()` })
      .where('id', '=', command.commandId)
      .where('subject_id', '=', subject.id)
      .where('kind', 'in', [command.kind, 'decide'])
      .where((where) => (isBegun ? where.lit(true) : where('status', 'in', ['accepted', 'executing'])));
  }
  // A policy's command has no request: its row is inserted here.
  return db
    .insertInto('commands')
    .values({
      id: command.commandId,
      environment: subject.environment,
      application: subject.application,
      idempotency_key: `${policyKeyPrefix}${command.commandId}`,
      body_hash: '',
      kind: command.kind,
      subject_id: subject.id,
      parameters: JSON.stringify({}),
      status: command.status,
      result,
      requested_by: 'policy',
    })
    .onConflict((conflict) => {
      const set = conflict.column('id').doUpdateSet({ status, result, updated_at: sql`now()` });
      return isBegun ? set : set.where(isOpen);
    });
}

/** True for the commands of the subject's order and policies. The ids of requests are random. */
function isOwnCommand({ id }: Subject, commandId: string): boolean {
  return commandId.startsWith(`${id}:`);
}

/**
 * Closes commands still `executing` when the subject ends, for example when a worker died and its step is no longer
 * needed.
 */
function leftCommands<State extends LifecycleState>(
  db: Database,
  { records, subject, state, commands = [] }: Transition<State>,
) {
  const result = { code: 'overtaken', reason: state.reason ?? `It has ended ${state.status}.` };
  const status = sql<CommandStatus>`case when kind = any(${records.fulfilledBy(state)}::text[]) then 'succeeded' else 'failed' end`;
  return db
    .updateTable('commands')
    .set({ status, result: storableJson(result), updated_at: sql`now()` })
    .where('subject_id', '=', subject.id)
    .where('status', '=', 'executing')
    .where('id', 'not in', ['', ...commands.map(({ commandId }) => commandId)]);
}

function timelineValues(subjectId: string, entry: TimelineEntry) {
  return {
    subject_id: subjectId,
    version: entry.version,
    event: entry.event,
    kind: entry.kind,
    from_status: entry.from,
    to_status: entry.to,
    detail: entry.detail === undefined ? null : storableText(entry.detail),
    command_id: entry.commandId ?? null,
    at: new Date(entry.at),
  };
}
