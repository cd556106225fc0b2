import type { Instant, Lifecycle, LifecycleEvent } from '../lifecycle.js';
import type { StepEffect } from './open-step.js';
import type { SteppingState } from './step-rules.js';

/** The parts of a lifecycle that the rule needs. */
interface RequestTraits<
  State extends SteppingState<Step>,
  Step,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
> extends Pick<Lifecycle<State, Event, Effect>, 'transition' | 'isTerminal'> {
  /** The requests; their senders have seen the rows. */
  readonly requests: ReadonlySet<Event['type']>;
  /** The effect that reads a subject without an open step; undefined if no read is possible. */
  readonly read: (state: State) => Effect | undefined;
  /** False for a step whose unknown outcome is not looked up; absent: every step is. */
  readonly isLookedUp?: (step: Step) => boolean;
}

/**
 * The read or lookup to make before the run refuses a request. The rows can be newer than the run's state: if a worker
 * dies after it has written a lookup's result, the run loses that result, but callers already see it in the rows.
 * Repeating the lookup brings the run to the same state as the rows.
 *
 * @returns undefined if the request is accepted, or if no lookup could make it acceptable.
 */
export function lookBeforeRefusalOf<
  State extends SteppingState<Step>,
  Step,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
>({ transition, isTerminal, requests, read, isLookedUp }: RequestTraits<State, Step, Event, Effect>) {
  return (state: State, event: Event, now: Instant): Effect | StepEffect<Step> | undefined => {
    if (!requests.has(event.type) || isTerminal(state.status)) return undefined;
    const { kind } = transition(state, event, now);
    // A payer may return more than once. A return to a payment that is still `creating` shows that the rows are newer.
    const hasNoPlace = kind === 'refused' || (kind === 'stale' && state.status === 'creating');
    if (!hasNoPlace) return undefined;
    const { openStep } = state;
    if (!openStep) return read(state);
    if (openStep.phase !== 'doubt' || isLookedUp?.(openStep.step) === false) return undefined;
    return { type: 'lookUp', step: openStep.step, horizonAt: openStep.horizonAt };
  };
}
