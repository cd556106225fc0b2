import type { Standing } from '../contract/run.js';
import type { Instant, LifecycleState } from '../lifecycle/lifecycle.js';
import {
  type Position,
  type ReasonToGiveBack,
  type TimelineEntry,
  giveBack,
  isRequest,
} from '../lifecycle/progress.js';

/** What has happened to a run that its rows do not tell yet. */
export class UnwrittenStory<State extends LifecycleState> {
  private entries: TimelineEntry[] = [];
  /** Before the message or deadline that was taken last. */
  private before: Position<State>;
  /** Where it stood when its rows were last written or found. */
  private knownStatus: string;

  constructor(first: Position<State>) {
    this.before = first;
    this.knownStatus = first.state.status;
  }

  get isEmpty(): boolean {
    return this.entries.length === 0;
  }

  /** A message or a deadline is taken. */
  beginFrom(position: Position<State>): void {
    this.before = position;
  }

  add(entry: TimelineEntry): void {
    this.entries.push(entry);
  }

  /** The request that was taken last is not carried out. @returns where the run then stands. */
  giveBack(why: ReasonToGiveBack): Position<State> {
    const request = this.entries.find(isRequest);
    if (!request) throw new Error('nothing was asked for');
    return giveBack(this.before, request, why).position;
  }

  /** An activity has told of it all. */
  clear({ state }: Position<State>): void {
    this.entries = [];
    this.knownStatus = state.status;
  }

  standing(position: Position<State>, taskStartedAt: Instant): Standing<State> {
    const { before, knownStatus, entries } = this;
    return {
      ...position,
      timeline: entries,
      knownStatus,
      taskStartedAt,
      ...(entries.some(isRequest) && { before }),
    };
  }
}
