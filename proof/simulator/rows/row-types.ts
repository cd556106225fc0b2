import type { AttemptRow, CommandKind, CommandResult, CommandStatus } from '#database/schema/schema.js';
import type { Making } from '../core/making.js';
import type { LifecycleState, TimelineEntry } from '#workflows/lifecycle';
import type { SubscriptionPaymentStatus } from '#workflows/lifecycle/subscription';

export interface SubjectRow {
  readonly id: string;
  readonly kind: string;
  readonly environment: string;
  readonly application: string;
  readonly status: string;
  readonly state: LifecycleState;
  readonly version: number;
  /** Absent: before all restores. */
  readonly createdAt?: number;
  /** The newest workflow task that has written it. */
  readonly taskStartedAt?: number | undefined;
  /** The version of the run that it wrote last. */
  readonly taskVersion?: number | undefined;
  /** Since when what is newer than the row has not been written to it; meanwhile no command is shown as succeeded. */
  readonly waitsSince?: number | undefined;
}

/** A line of a timeline. */
export interface StoredLine extends TimelineEntry {
  readonly isSuperseded?: boolean;
  /** Those that have written it, or found it written; undefined if it belongs to no run that is open. */
  readonly by?: readonly Making[] | undefined;
  /** Those that had written another line in its place. */
  readonly over?: readonly Making[];
}

export interface CommandRow {
  readonly id: string;
  readonly kind: CommandKind;
  readonly subjectId: string;
  readonly status: CommandStatus;
  readonly result: CommandResult | null;
  /** What was asked for. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Absent: before all restores. */
  readonly createdAt?: number;
}

/** Whoever asks names these. */
export type NewCommand = Omit<CommandRow, 'status' | 'result' | 'parameters'> &
  Partial<Pick<CommandRow, 'parameters'>>;

/** A payment in the book of a subscription. */
export interface BookedCycle {
  readonly status: SubscriptionPaymentStatus;
  readonly minor: number;
  readonly readAt: number;
  readonly at: number;
}

/** Who is told of every row that is committed. */
export interface RowsWatcher {
  subjectChanged(before: SubjectRow | undefined, after: SubjectRow, timeline: readonly TimelineEntry[]): void;
  commandChanged(before: CommandRow | undefined, after: CommandRow): void;
  /** A payout's item, or a payment of a subscription. */
  partChanged?(name: string, before: string, after: string): void;
  attemptBegun?(attempt: AttemptRow): void;
  outcomeRecorded?(before: AttemptRow, after: AttemptRow): void;
}
