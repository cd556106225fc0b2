import type { Continued, RecordOutcome, UnrecordedPosition, StepResult } from '../contract/run.js';
import type { Instant, Lifecycle, LifecycleEvent, LifecycleState } from '../lifecycle/lifecycle.js';
import { type DoubtfulState, describeStep, describeTimer } from './description.js';
import type { Deadline } from './intake.js';
import type { CallOf } from './local-activities.js';

export type RunState = LifecycleState & DoubtfulState;

/** The parts of a run that differ between lifecycles. */
export interface RunParts<
  State extends RunState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
  Sent,
> {
  readonly lifecycle: Lifecycle<State, Event, Effect>;
  /** The effect of the run's start; undefined if it first waits for a deadline or a message. */
  readonly firstEffect: Effect | undefined;
  /** The activity that carries out an effect. */
  carryOut(effect: Effect, position: UnrecordedPosition<State>): CallOf<StepResult<State, Event>>;
  /**
   * The activity that writes a transition which needed no call to the provider. Its result is why it was not written: the
   * rows have an end, or nobody has accepted the request. Null if it was written.
   */
  record(position: UnrecordedPosition<State>): CallOf<RecordOutcome<State> | null>;
  /** For Temporal's UI: no personal data. */
  describe(state: State, doing?: Effect): string;
  /** Of the amounts in what Temporal's UI says of calls and timers. */
  currencyOf(state: State): string;
  /** True for a message that only asks for a read of the provider. */
  isHint(event: Event): boolean;
  /** True for an event that an Update brings. Absent if the lifecycle takes signals only. */
  isUpdate?(event: Event): boolean;
  /** Whether waiting hints share the next read. Used only if views are not recorded; otherwise they always share it. */
  sharesReads(): boolean;
  /** The read or lookup before a request is refused: the rows accepted it, and they can be newer than the run's state. */
  lookBefore(state: State, event: Event, now: Instant): Effect | undefined;
  /** False for runs that began before views were recorded: see TimedInput. */
  readonly recordsTime: boolean;
  /** False for runs that began before views were recorded together with steps. */
  readonly takesEvents: boolean;
  /** The number of messages after which the run continues as new. It also does so when the server suggests it. */
  readonly messagesPerRun: number;
  /** The number of calls after which it does so, too: for runs whose calls are mostly polls. */
  readonly callsPerRun?: number;
  continueAsNew(continued: Continued<State, Sent>): Promise<never>;
}

/** The activity that carries out an effect, with what Temporal's UI shows of it. */
export function callOf<
  State extends RunState,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
>(
  parts: Pick<RunParts<State, Event, Effect, never>, 'carryOut' | 'currencyOf'>,
  effect: Effect,
  position: UnrecordedPosition<State>,
): CallOf<StepResult<State, Event>> {
  const { state } = position;
  const summary = describeStep(state, effect, parts.currencyOf(state));
  const made = parts.carryOut(effect, position);
  return summary === undefined ? made : { ...made, summary };
}

/** With what Temporal's UI shows of its timer. */
export function nextDeadline<State extends RunState, Event extends LifecycleEvent>(
  parts: Pick<RunParts<State, Event, { readonly type: string }, never>, 'lifecycle' | 'currencyOf'>,
  state: State,
): Deadline<Event> | undefined {
  const deadline = parts.lifecycle.nextDeadline(state);
  if (!deadline) return undefined;
  return { ...deadline, summary: describeTimer(state, deadline.event.type, parts.currencyOf(state)) };
}
