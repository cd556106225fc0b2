import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Instant, LifecycleState, NotifiedResource, TimelineEntry } from '#workflows/lifecycle';
import { type NewApiCall, apiCallValues } from '../calls/api-calls.js';
import { policyKeyPrefix } from '../commands/commands.js';
import type { Database } from '../connection/database.js';
import { type OwnedResource, resourceRows } from './resources.js';
import type { CommandKind, CommandResult, CommandStatus } from '../schema/schema.js';
import { storableJson, storableText } from '../text/storable-text.js';
import type { SubjectTable } from '../tables/subject-tables.js';

/** How the rows of one kind of subject are written; what is the same for all kinds stands in this file. */
export interface SubjectRecords<State> {
  readonly table: SubjectTable;
  /** Statuses that are never left. */
  readonly ends: readonly string[];
  /** What the provider calls its parts by: events about them are the subject's. */
  resourcesOf(state: State): readonly OwnedResource[];
  /** True when the state has already what an event says. */
  tellsNothingNew(state: State, resource: NotifiedResource): boolean;
  /** Kinds of commands that this end has carried out, whether or not their own answers were heard. */
  fulfilledBy(state: State): readonly CommandKind[];
  /** Columns besides the state that lists and lookups go by. */
  columnsOf?(state: State): Readonly<Record<string, string | number | Date | null>>;
  /** What is written of others along with it. */
  besides?(transition: Transition<State & LifecycleState>): readonly RawBuilder<unknown>[];
}

/** A subject's rows as they shall stand after a transition. */
export interface Transition<State extends LifecycleState = LifecycleState> {
  readonly records: SubjectRecords<State>;
  readonly subject: Subject;
  readonly state: State;
  /** Grows with each recorded event; rows never go back to an older one, whoever writes late. */
  readonly version: number;
  readonly timeline: readonly TimelineEntry[];
  readonly commands?: readonly CommandOutcome[];
  readonly calls?: readonly NewApiCall[];
  /** The status that the writer goes on from. Absent: none that is an end, so a row that has come to one is not written. */
  readonly knownStatus?: string | undefined;
  /** When the workflow task began that the writer acts in; absent for a writer that holds the row itself. */
  readonly taskStartedAt?: Instant | undefined;
}

export interface CommandOutcome {
  readonly commandId: string;
  readonly kind: CommandKind;
  readonly status: CommandStatus;
  readonly result?: CommandResult;
}

/** One write among those of a transition. */
type Write = RawBuilder<unknown> | { toOperationNode(): unknown };

/**
 * Sends all writes as one statement: one round trip, and all of them or none. Between the first answer of a provider
 * and the caller's stand these round trips and little else.
 *
 * @param first returns the id of the row that it wrote.
 * @returns that id; undefined when it wrote none (the others are written all the same).
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

/**
 * What causes the write. An attempt is begun, and its outcome recorded, by one process only. Anything
 * else is a reading: it may have been read again, or be written late.
 */
export type Basis = 'begin' | 'outcome' | 'reading';

/** The rows of a transition; the subject's own is locked by it, which orders us against the dispatcher of events. */
export function rowsOf<State extends LifecycleState>(
  db: Database,
  transition: Transition<State>,
  basis: Basis,
): Write[] {
  const { records, subject, state, timeline, calls = [], commands = [] } = transition;
  const resources = records.resourcesOf(state);
  const writes: Write[] = [subjectRow(transition, basis)];
  if (resources.length > 0) writes.push(resourceRows(subject, resources));
  if (timeline.length > 0) {
    writes.push(
      db
        .insertInto('timeline')
        .values(timeline.map((entry) => timelineValues(subject.id, entry)))
        // An entry that is there was written in a workflow task that got lost: the story goes on without it.
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
  writes.push(...commands.map((command) => commandRow(db, subject, command, basis)));
  if (hasEnded(transition)) writes.push(leftCommands(db, transition));
  writes.push(...(records.besides?.(transition) ?? []));
  if (calls.length > 0) {
    writes.push(db.insertInto('api_calls').values(calls.map((call) => apiCallValues(subject, call))));
  }
  return writes;
}

function hasEnded<State extends LifecycleState>({ records, state }: Transition<State>): boolean {
  return records.ends.includes(state.status);
}

/**
 * The row of the subject. An end that was written has been told, so it stays: nobody leaves it who does not go on from
 * it, and the whole statement is refused (`isOvertaken`). So is what a worker writes whose task another one has taken over
 * and written since; but that an attempt is begun is never refused for that, because the other one finds it begun.
 *
 * A worker that dies takes the readings of its workflow task with it, though not its rows: the next one may come by a
 * shorter way, under a lower version than a lost reading has left here. So a newer task writes whatever its version is,
 * and its versions count from there on.
 */
function subjectRow<State extends LifecycleState>(transition: Transition<State>, basis: Basis): Write {
  const { records, subject, state, version, knownStatus = null, taskStartedAt } = transition;
  const task =
    taskStartedAt === undefined ? sql`null::timestamptz` : sql`${new Date(taskStartedAt)}::timestamptz`;
  const isEnd = sql`status = any(${records.ends}::text[])`;
  const isSuperseded = basis === 'begin' ? sql`false` : sql`coalesce(task_started_at > ${task}, false)`;
  const isRefused = sql`((${isEnd} and status is distinct from ${knownStatus}::text) or ${isSuperseded})`;
  const columns = Object.entries({
    state: storableJson(state),
    status: state.status,
    updated_at: new Date(),
    ...records.columnsOf?.(state),
  });
  const changes = columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  // A run's versions are its own: where it writes again what a lost task had taken further, they lag behind the row's.
  const written = sql`case when task_started_at = ${task} then coalesce(task_version, version) else version end`;
  const row = sql`update ${sql.table(records.table)} set ${sql.join(changes)},
    task_started_at = greatest(task_started_at, ${task}),
    task_version = case when task_started_at > ${task} or ${task} is null then task_version else ${version} end,
    version = case when ${isRefused} then raise_overtaken()
      when version < ${version} then ${version} else version + 1 end
    where id = ${subject.id}`;
  if (basis !== 'reading') return sql`${row} returning id`;
  const isNewer = sql`coalesce(task_started_at < ${task}, ${task} is not null)`;
  // What a task reads later is not undone by what it has read before; an end is not held up by it.
  const isEnding = hasEnded(transition) ? sql`not ${isEnd}` : sql`false`;
  // Of one version is another try of the same reading, also after an end: its run never heard of the first.
  return sql`${row}
    and (${isRefused} or ${isNewer} or ${written} <= ${version} or ${isEnding}) returning id`;
}

/**
 * A final outcome stays, because it has been
 * told: a step is not begun for a command that has one, and the whole statement is refused.
 */
function commandRow(db: Database, subject: Subject, command: CommandOutcome, basis: Basis): Write {
  const result = command.result ? storableJson(command.result) : null;
  const isOpen = sql<boolean>`commands.status in ('accepted', 'executing')`;
  const isBegun = basis === 'begin' && command.status === 'executing';
  const status = isBegun
    ? sql<CommandStatus>`case when ${isOpen} then ${command.status} else raise_overtaken()::text end`
    : command.status;
  if (!isOwnCommand(subject, command.commandId)) {
    // A message may have named any command: none is made of it, and none of another subject or kind is touched.
    return db
      .updateTable('commands')
      .set({ status, result, updated_at: sql`now()` })
      .where('id', '=', command.commandId)
      .where('subject_id', '=', subject.id)
      .where('kind', 'in', [command.kind, 'decide'])
      .where((where) => (isBegun ? where.lit(true) : where('status', 'in', ['accepted', 'executing'])));
  }
  // A run's own policy has no request behind it: its command's row is made here.
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

/** Of the subject's order or its policies; the ids of requests are random. */
function isOwnCommand({ id }: Subject, commandId: string): boolean {
  return commandId.startsWith(`${id}:`);
}

/**
 * No command outlives its subject as under way: one whose step was lost with the worker that had begun it, and that
 * the next one had no need of, ends as the subject did.
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
