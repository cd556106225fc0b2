import type { UnrecordedPosition } from '../contract/run.js';
import type { Instant, LifecycleState } from '../lifecycle/lifecycle.js';
import {
  type Position,
  type ReasonToUndo,
  type TimelineEntry,
  undoRequest,
  isRequest,
} from '../lifecycle/progress.js';

/** The timeline of a run since its rows were last written. */
export class UnrecordedTimeline<State extends LifecycleState> {
  private entries: TimelineEntry[] = [];
  /** The position before the last message or deadline. */
  private before: Position<State>;
  /** The position when the rows were last written or read. */
  private known: { readonly status: string; readonly version: number };

  constructor(first: Position<State>) {
    this.before = first;
    this.known = { status: first.state.status, version: first.version };
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
    const next = new UnrecordedTimeline(position);
    next.known = this.known;
    next.entries = entry ? [...this.entries, entry] : this.entries;
    return next;
  }

  add(entry: TimelineEntry): void {
    this.entries.push(entry);
  }

  /**
   * Undoes the last request.
   *
   * @returns the run's position without it.
   */
  undoRequest(why: ReasonToUndo): Position<State> {
    const request = this.entries.find(isRequest);
    if (!request) throw new Error('the timeline has no request to undo');
    return undoRequest(this.before, request, why).position;
  }

  /** An activity has written the whole timeline. */
  clear({ state, version }: Position<State>): void {
    this.entries = [];
    this.known = { status: state.status, version };
  }

  forActivity(position: Position<State>, taskStartedAt: Instant): UnrecordedPosition<State> {
    const { before, known, entries } = this;
    return {
      ...position,
      timeline: entries,
      knownStatus: known.status,
      knownVersion: known.version,
      taskStartedAt,
      ...(entries.some(isRequest) && { before }),
    };
  }
}
