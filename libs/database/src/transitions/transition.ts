import type { RawBuilder } from 'kysely';
import type { Subject } from '#workflows/contract';
import type { Instant, LifecycleState, NotifiedResource, TimelineEntry } from '#workflows/lifecycle';
import type { NewApiCall } from '../calls/api-calls.js';
import type { News } from '../notifications/notification-types.js';
import type { CommandKind, CommandResult, CommandStatus } from '../schema/schema.js';
import type { SubjectTable } from '../tables/subject-tables.js';
import type { OwnedResource } from './resources.js';
import type { TransitionParameters } from './transition-parameters.js';

/** How the rows of one kind of subject are written. */
export interface SubjectRecords<State> {
  readonly table: SubjectTable;
  /** Statuses that are never left. */
  readonly ends: readonly string[];
  /** The provider's ids of its parts: events about them belong to the subject. */
  resourcesOf(state: State): readonly OwnedResource[];
  /** True if the state already has what an event says. */
  isAlreadyKnown(state: State, resource: NotifiedResource): boolean;
  /** The final results of its parts. Absent if parts have rows of their own. */
  readonly finalParts?: FinalParts<State>;
  /** What a row shows may be newer than the state that is written over it, and stays. Absent if nothing does. */
  readonly newerParts?: NewerParts<State>;
  /** Kinds of commands that this end proves carried out, even if their own answers were lost. */
  fulfilledBy(state: State): readonly CommandKind[];
  /** Further columns, by which lists and queries find the subject. */
  readonly columns?: readonly string[];
  /** Their values; a column that is absent keeps its value. */
  columnsOf?(state: State): Readonly<Record<string, string | number | Date | null>>;
  /** True of payments: their notifications show their refunds as they are then. */
  readonly hasRefunds?: true;
  /** The notifications of a write with these lines and commands; absent for a kind without notifications. */
  newsOf?(
    state: State,
    timeline: readonly TimelineEntry[],
    commands: readonly CommandOutcome[],
  ): readonly News[];
  /** An update of rows of other subjects in the same statement; it ends with a condition. */
  besides?(given: TransitionParameters): RawBuilder<unknown>;
}

/** The parts of a subject with a final result that callers may have seen: the result by the part's id. */
export interface FinalParts<State> {
  of(state: State): ReadonlyMap<string, string>;
  /** The final results in a row's `state`, in SQL: one JSON object. */
  readonly inRow: RawBuilder<unknown>;
}

/** The parts of a state that never go back in its row, although the run continues. */
export interface NewerParts<State> {
  /** @returns the state to write. */
  beside(state: State, inRow: State): State;
  /** The same in SQL. */
  besideRow(state: RawBuilder<unknown>): RawBuilder<unknown>;
}

/** The content of a subject's rows after a transition. */
export interface Transition<State extends LifecycleState = LifecycleState> {
  readonly records: SubjectRecords<State>;
  readonly subject: Subject;
  readonly state: State;
  /** Grows with each recorded event. A late writer does not set a row back to an older version. */
  readonly version: number;
  readonly timeline: readonly TimelineEntry[];
  readonly commands?: readonly CommandOutcome[];
  readonly calls?: readonly NewApiCall[];
  /** The status in the rows as the writer knows it. Absent: not an end, so a row with an end is not written. */
  readonly knownStatus?: string | undefined;
  /** Lines after this version that are neither in `ownLines` nor in `timeline` are of a lost task. Absent: `version`. */
  readonly knownVersion?: number | undefined;
  /** The lines after `knownVersion` that the writer's run has written. A lost task may have written over them. */
  readonly ownLines?: readonly TimelineEntry[] | undefined;
  /** When the read began from which the state follows, by the database's clock. */
  readonly readBeganAt?: Date | undefined;
  /** When the writer's workflow task began; absent for a writer that has locked the row. */
  readonly taskStartedAt?: Instant | undefined;
}

export interface CommandOutcome {
  readonly commandId: string;
  readonly kind: CommandKind;
  readonly status: CommandStatus;
  readonly result?: CommandResult;
  /** The transition itself carries the command out, without a call: if the rows refuse it, nothing was done. */
  readonly isUncalled?: true;
}

export function hasEnded<State extends LifecycleState>({ records, state }: Transition<State>): boolean {
  return records.ends.includes(state.status);
}

export function newsIn<State extends LifecycleState>({
  records,
  state,
  timeline,
  commands = [],
}: Transition<State>): readonly News[] {
  return records.newsOf?.(state, timeline, commands) ?? [];
}
