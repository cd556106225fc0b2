import { type RawBuilder, sql } from 'kysely';
import type { Subject } from '../../workflows/src/contract/subject.js';
import type { LifecycleState } from '../../workflows/src/lifecycle/lifecycle.js';
import type { NotifiedResource } from '../../workflows/src/lifecycle/notified-resource.js';
import type { TimelineEntry } from '../../workflows/src/lifecycle/progress.js';
import { type NewApiCall, apiCallValues } from './api-calls.js';
import { policyKeyPrefix } from './commands.js';
import type { Database } from './database.js';
import { type OwnedResource, resourceRows } from './resources.js';
import type { CommandKind, CommandResult, CommandStatus } from './schema.js';
import { storableJson, storableText } from './storable-text.js';
import type { SubjectTable } from './subject-tables.js';

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
 * What a transition goes by. Rows written beside the beginning or the settling of an attempt are the newest there are:
 * only one process can do either. Anything else may have been read again, or be written late.
 */
type Basis = 'attempt' | 'reading';

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
        .onConflict((conflict) => conflict.columns(['subject_id', 'version']).doNothing()),
    );
  }
  writes.push(...commands.map((command) => commandRow(db, subject, command)));
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
 * A worker that dies takes the readings of its workflow task with it, though not its rows: the next one may come by a
 * shorter way, on which the same attempt ends the subject under a lower version than a lost look has left here.
 */
function subjectRow<State extends LifecycleState>(transition: Transition<State>, basis: Basis): Write {
  const { records, subject, state, version } = transition;
  const columns = Object.entries({
    state: storableJson(state),
    status: state.status,
    updated_at: new Date(),
    ...records.columnsOf?.(state),
  });
  const changes = columns.map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
  const row = sql`update ${sql.table(records.table)}
    set ${sql.join([...changes, sql`version = greatest(version, ${version})`])} where id = ${subject.id}`;
  if (basis === 'attempt') return sql`${row} returning id`;
  // Another reading, by a worker thought dead, may not undo an end; an end is not held up by one.
  const isOvertaken = hasEnded(transition) ? sql`true` : sql`version = ${version}`;
  return sql`${row}
    and (version < ${version} or (${isOvertaken} and status <> all(${records.ends}::text[]))) returning id`;
}

/** A run's own policy has no request behind it: its command's row is made here. A final outcome stays. */
function commandRow(db: Database, subject: Subject, command: CommandOutcome) {
  const result = command.result ? storableJson(command.result) : null;
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
    .onConflict((conflict) =>
      conflict
        .column('id')
        .doUpdateSet({ status: command.status, result, updated_at: sql`now()` })
        .where('commands.status', 'in', ['accepted', 'executing']),
    );
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
