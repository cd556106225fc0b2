import type { EndOnRecord, UnrecordedPosition, WrittenLines } from '../contract/run.js';
import type { Instant, Lifecycle, LifecycleEvent, LifecycleState } from '../lifecycle/lifecycle.js';
import { type Position, type ReasonToUndo, advance } from '../lifecycle/progress.js';
import { UnrecordedTimeline } from './unrecorded-timeline.js';

/** Where a run stands: the state of its subject, and what of it the rows do not have yet. */
export class RunPosition<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
> {
  private position: Position<State>;
  private expected: Position<State> | undefined;
  private readonly unrecorded: UnrecordedTimeline<State>;
  /** The latest time in the history: that of the last transition. */
  recordedAt: Instant = 0;

  constructor(
    private readonly lifecycle: Lifecycle<State, Event, Effect>,
    { state, version, knownVersion, ownLines }: Position<State> & Partial<WrittenLines>,
  ) {
    this.position = { state, version };
    const lines = knownVersion !== undefined && ownLines && { knownVersion, ownLines };
    this.unrecorded = new UnrecordedTimeline(this.position, lines || undefined);
  }

  /** While a step is under way, the position from which it began. */
  get present(): Position<State> {
    return this.expected ?? this.position;
  }

  /** @param expected the position from which a step begins whose event is not taken yet; undefined once it is taken. */
  expect(expected: Position<State> | undefined): void {
    this.expected = expected;
  }

  /** What a run that continues as new carries over. */
  get carriedOver(): Position<State> & WrittenLines {
    return { ...this.present, ...this.unrecorded.written };
  }

  get isRecorded(): boolean {
    return this.unrecorded.isEmpty;
  }

  /** A message or a deadline is taken. */
  beginEvent(): void {
    this.unrecorded.beginFrom(this.position);
  }

  advance(event: Event, at: Instant): Effect | undefined {
    this.recordedAt = Math.max(this.recordedAt, at);
    const { position, entry, effect } = advance(this.lifecycle, this.position, event, at);
    this.position = position;
    if (entry) this.unrecorded.add(entry);
    return effect;
  }

  /** To what a message or a deadline leads. Changes nothing. */
  after(event: Event, at: Instant, taskStartedAt: Instant) {
    const { position, entry, effect } = advance(this.lifecycle, this.position, event, at);
    const unrecorded = this.unrecorded.after(this.position, entry);
    const input = unrecorded.forActivity(position, taskStartedAt);
    return { position, effect, input, hasEntry: entry !== undefined };
  }

  forActivity(taskStartedAt: Instant): UnrecordedPosition<State> {
    return this.unrecorded.forActivity(this.position, taskStartedAt);
  }

  /** An activity has written the position and the whole timeline. */
  markWritten(): void {
    this.unrecorded.markWritten(this.position);
  }

  /**
   * The rows have an end that this run does not know: a worker wrote it and then lost its workflow task. Callers may
   * have seen the rows, so the run takes their end over.
   */
  adoptEnd({ ended }: EndOnRecord<State>): undefined {
    this.position = ended;
    this.unrecorded.adopt(ended);
  }

  /** The last request is as if it had not come; an activity has written that. */
  undoRequest(why: ReasonToUndo): void {
    this.position = this.unrecorded.undoRequest(why);
  }
}
