import type { UnrecordedPosition, WrittenLines } from '../contract/run.js';
import type { Instant, LifecycleState } from '../lifecycle/lifecycle.js';
import {
  type Position,
  type ReasonToUndo,
  type TimelineEntry,
  undoRequest,
  isRequest,
} from '../lifecycle/progress.js';

/** More than the workflow tasks write that can still be lost: what a completed task has written stays. */
const ownLinesKept = 16;

/** The timeline of a run since its rows were last written, and the last lines before. */
export class UnrecordedTimeline<State extends LifecycleState> {
  private entries: TimelineEntry[] = [];
  /** The position before the last message or deadline. */
  private before: Position<State>;
  /** The status when the rows were last written or read. */
  private knownStatus: string;
  private lines: WrittenLines;

  constructor(first: Position<State>, lines: Partial<WrittenLines> = {}) {
    this.before = first;
    this.knownStatus = first.state.status;
    this.lines = { knownVersion: first.version, ownLines: [], ...lines };
  }

  /** The last lines that the run has written. */
  get written(): WrittenLines {
    return this.lines;
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** A message or a deadline is taken. */
  beginFrom(position: Position<State>): void {
    this.before = position;
  }

  /** What it will be when the run takes an event that leads to this entry. */
  after(position: Position<State>, entry: TimelineEntry | undefined): UnrecordedTimeline<State> {
    const next = new UnrecordedTimeline(position, this.lines);
    next.knownStatus = this.knownStatus;
    next.entries = entry ? [...this.entries, entry] : this.entries;
    return next;
  }

  add(entry: TimelineEntry): void {
    this.entries.push(entry);
  }

  /**
   * Undoes the last request, as an activity has written it.
   *
   * @returns the run's position without it.
   */
  undoRequest(why: ReasonToUndo): Position<State> {
    const request = this.entries.find(isRequest);
    if (!request) throw new Error('the timeline has no request to undo');
    const { position, entry } = undoRequest(this.before, request, why);
    this.entries = [entry];
    this.markWritten(position);
    return position;
  }

  /** An activity has written the whole timeline. */
  markWritten({ state }: Position<State>): void {
    const lines = [...this.lines.ownLines, ...this.entries];
    this.lines = {
      knownVersion: lines.at(-ownLinesKept - 1)?.version ?? this.lines.knownVersion,
      ownLines: lines.slice(-ownLinesKept),
    };
    this.entries = [];
    this.knownStatus = state.status;
  }

  /** The run continues from the rows, whoever has written their lines. */
  adopt({ state, version }: Position<State>): void {
    this.entries = [];
    this.lines = { knownVersion: version, ownLines: [] };
    this.knownStatus = state.status;
  }

  forActivity(position: Position<State>, taskStartedAt: Instant): UnrecordedPosition<State> {
    const { before, entries, knownStatus, lines } = this;
    return {
      ...position,
      timeline: entries,
      knownStatus,
      ...lines,
      taskStartedAt,
      ...(entries.some(isRequest) && { before }),
    };
  }
}
