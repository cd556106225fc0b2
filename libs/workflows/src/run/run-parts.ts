import type { Continued, RecordOutcome, Standing, StepResult } from '../contract/run.js';
import type { Instant, Lifecycle, LifecycleEvent, LifecycleState } from '../lifecycle/lifecycle.js';

/** What differs from lifecycle to lifecycle; everything else about a run is the same. */
export interface RunParts<
  State extends LifecycleState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
  Sent,
> {
  readonly lifecycle: Lifecycle<State, Event, Effect>;
  /** What its start asks for; undefined where it waits for what is due or told first. */
  readonly firstEffect: Effect | undefined;
  carryOut(effect: Effect, standing: Standing<State>): Promise<StepResult<State, Event>>;
  /**
   * Writes what was decided without calling the provider.
   *
   * @returns what stands against it, if anything: an end that is on record, or that nobody has accepted the request.
   */
  record(standing: Standing<State>): Promise<RecordOutcome<State> | null>;
  /** For Temporal's UI: no personal data. */
  describe(state: State, doing?: Effect): string;
  /** True for a message that only asks for a read of the provider. */
  isHint(event: Event): boolean;
  /** Whether hints that wait share the read to come; asked where views are not recorded, for then they always do. */
  sharesReads(): boolean;
  /** What to look at before a request is turned away: the rows, which it was let through by, can be ahead of the run. */
  lookBefore(state: State, event: Event, now: Instant): Effect | undefined;
  /** False in histories that were begun before views were recorded: see TimedInput. */
  readonly recordsTime: boolean;
  /** Messages after which the run continues as new; the server's own suggestion counts as well. */
  readonly messagesPerRun: number;
  /** Calls after which it does so too, where it is the clock that makes most of them. */
  readonly callsPerRun?: number;
  continueAsNew(continued: Continued<State, Sent>): Promise<never>;
}
