import type { Instant, Lifecycle, LifecycleEvent } from '../lifecycle.js';
import type { StepEffect } from './open-step.js';
import type { SteppingState } from './step-rules.js';

/** What the rule must know of the lifecycle whose requests it looks after. */
interface RequestTraits<
  State extends SteppingState<Step>,
  Step,
  Event extends LifecycleEvent,
  Effect extends { readonly type: string },
> extends Pick<Lifecycle<State, Event, Effect>, 'transition' | 'isTerminal'> {
  /** Who sends them has seen the rows. */
  readonly requests: ReadonlySet<Event['type']>;
  /** Shows where something stands that has no step open; undefined where no read could. */
  readonly read: (state: State) => Effect | undefined;
  /** False of a step whose doubt is resolved otherwise; absent: every step is looked up. */
  readonly isLookedUp?: (step: Step) => boolean;
}

/**
 * What to look at before a request is turned away that has no place in the state which the run knows. The rows can be
 * ahead of the run: a worker that dies after it has written what a look showed takes the look's result with it, while
 * order service, operator and payer go on from what the rows say. Made again, the look brings the run to where the rows are.
 *
 * @returns undefined where the request is taken, or nothing that a look could show would let it be.
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
    // The payer comes back more than once, and only to what the rows know to be created: elsewhere that is nothing new.
    const hasNoPlace = kind === 'refused' || (kind === 'stale' && state.status === 'creating');
    if (!hasNoPlace) return undefined;
    const { openStep } = state;
    if (!openStep) return read(state);
    if (openStep.phase !== 'doubt' || isLookedUp?.(openStep.step) === false) return undefined;
    return { type: 'lookUp', step: openStep.step, horizonAt: openStep.horizonAt };
  };
}
