import type { TransitionResult, Instant, LifecycleState, WaitPolicy } from '../lifecycle.js';
import { wideningWait } from '../widening-wait.js';
import { type LookHint, type OpenStep, type StepEffect, runningStep, withoutReview } from './open-step.js';

export interface SteppingState<Step> extends LifecycleState {
  readonly openStep?: OpenStep<Step>;
  readonly stepsBegun: number;
}

/** The parts of a lifecycle that the step rules need. */
export interface StepTraits<State extends SteppingState<Step>, Step, Effect, Code extends string> {
  waitPolicyOf(state: State): WaitPolicy;
  /** The status in which a step of this state is under way. */
  statusDuring(step: Step, state: State): State['status'];
  /** A name of the step for sentences such as "It is proved that … did not happen". */
  describe(step: Step): string;
  /** Changes the status and the fields that depend on it. */
  enter(state: State, status: State['status'], now: Instant): State;
  /** True if no caller would request the step again: then it is repeated beyond `maxAttempts`. */
  isRepeatedBeyondLimit?(state: State, step: Step, now: Instant): boolean;
  /** Gives up a step that is proved undone. */
  giveUp(state: State, step: Step, reason: string, now: Instant): TransitionResult<State, Effect, Code>;
}

/** The rules of an open step, the same in every lifecycle. */
export class StepRules<
  State extends SteppingState<Step>,
  Step,
  Effect = StepEffect<Step>,
  Code extends string = string,
> {
  constructor(private readonly traits: StepTraits<State, Step, Effect | StepEffect<Step>, Code>) {}

  readonly begin = (state: State, step: Step, now: Instant): StepTransition<State, Step, Effect, Code> => {
    const stepsBegun = state.stepsBegun + 1;
    const entered = this.traits.enter(state, this.traits.statusDuring(step, state), now);
    const openStep = runningStep(stepsBegun, step, now);
    return { kind: 'moved', state: { ...entered, stepsBegun, openStep }, effect: { type: 'perform', step } };
  };

  /** The provider certainly did nothing (it refused first, or was never reached): repeats the step later. */
  readonly defer = (
    state: State,
    { retryAt }: { readonly retryAt: Instant },
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> => {
    const { openStep } = state;
    if (!openStep) return { kind: 'stale', state };
    const attempts = openStep.attempts + 1;
    if (this.areAttemptsUsedUp(state, openStep.step, attempts, now))
      return this.giveUp(state, openStep.step, now);
    const { isResumed: _unsent, ...known } = openStep;
    return moved({ ...state, openStep: { ...known, phase: 'retry', attempts, nextAt: retryAt } });
  };

  /** The outcome is unknown: looks it up until the outcome horizon. That is not a failure. */
  readonly doubt = (
    state: State,
    { horizonAt, reviewAt }: { readonly horizonAt: Instant; readonly reviewAt?: Instant },
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> => {
    const { openStep } = state;
    if (!openStep) return { kind: 'stale', state };
    const nextAt = now + this.traits.waitPolicyOf(state).firstLookMs;
    const isAsked = reviewAt !== undefined && state.status !== 'needs_review';
    const doubt = { phase: 'doubt', looks: 0, since: now, horizonAt, nextAt } as const;
    return moved({
      ...state,
      openStep: { ...withoutReview(openStep), ...doubt, ...(isAsked && { reviewAt }) },
    });
  };

  /** A lookup without a result proves nothing before the horizon. After too long a review begins. */
  readonly lookAgain = (
    state: State,
    { isHinted }: { readonly isHinted?: true },
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> => {
    const { openStep } = state;
    if (openStep?.phase !== 'doubt') return { kind: 'stale', state };
    const patience = this.traits.waitPolicyOf(state);
    const looked = isHinted
      ? openStep
      : { ...openStep, looks: openStep.looks + 1, nextAt: nextLook(patience, openStep, now) };
    if (state.status === 'needs_review' || now - openStep.since < patience.reviewAfterMs) {
      return moved({ ...state, openStep: looked });
    }
    return this.requireReview(state, looked, now);
  };

  /** The outcome has been unknown for too long: begins the review, regardless of the next lookup. */
  readonly review = (
    state: State,
    _event: unknown,
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> => {
    const { openStep } = state;
    if (openStep?.phase !== 'doubt' || state.status === 'needs_review') return { kind: 'stale', state };
    return this.requireReview(state, openStep, now);
  };

  /** Proved undone: repeats the step as often as the wait policy allows (attempt-identity.ts decides under which key). */
  readonly repeat = (
    state: State,
    _event: unknown,
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> => {
    const { openStep } = state;
    if (!openStep) return { kind: 'stale', state };
    const attempts = openStep.attempts + 1;
    if (this.areAttemptsUsedUp(state, openStep.step, attempts, now))
      return this.giveUp(state, openStep.step, now);
    return moved(
      { ...state, openStep: { ...runningStep(openStep.number, openStep.step, now), attempts } },
      { type: 'perform', step: openStep.step },
    );
  };

  /** The step is due, or a webhook gives a hint: repeats a step proved undone, looks up an unknown outcome. */
  readonly take = (
    state: State,
    event: { readonly type: string; readonly resourceId?: string },
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> => {
    const { openStep } = state;
    if (!openStep) return { kind: 'stale', state };
    if (openStep.phase === 'doubt') {
      const { step, horizonAt } = openStep;
      return moved(state, { type: 'lookUp', step, horizonAt, ...hintIn(event) });
    }
    // A webhook does not make a repeat earlier: the provider asked us to wait.
    if (openStep.phase !== 'retry' || event.type !== 'stepCameDue') return { kind: 'stale', state };
    return moved(
      { ...state, openStep: { ...openStep, phase: 'running', since: now } },
      { type: 'perform', step: openStep.step },
    );
  };

  /** The proof came during the review: continues as if it had come before. */
  readonly resumeReviewed =
    <Event>(
      transition: (state: State, event: Event, now: Instant) => StepTransition<State, Step, Effect, Code>,
    ) =>
    (state: State, event: Event, now: Instant): StepTransition<State, Step, Effect, Code> => {
      if (!state.openStep) return { kind: 'stale', state };
      const during = this.traits.statusDuring(state.openStep.step, state);
      const resumed = transition(this.traits.enter(state, during, now), event, now);
      return resumed.kind === 'stale' ? { kind: 'stale', state } : resumed;
    };

  /** The rules for every state with an open step. */
  readonly whileOpen = {
    stepDeferred: this.defer,
    outcomeUnknown: this.doubt,
    lookInconclusive: this.lookAgain,
    stepProvedUndone: this.repeat,
    stepCameDue: this.take,
    reviewCameDue: this.review,
  };

  private requireReview(
    state: State,
    openStep: OpenStep<Step>,
    now: Instant,
  ): StepTransition<State, Step, Effect, Code> {
    const asked = { ...state, openStep: withoutReview(openStep) };
    const reason = `It cannot be proved whether ${this.traits.describe(openStep.step)} happened.`;
    return moved({ ...this.traits.enter(asked, 'needs_review', now), reason });
  }

  private areAttemptsUsedUp(state: State, step: Step, attempts: number, now: Instant): boolean {
    if (attempts < this.traits.waitPolicyOf(state).maxAttempts) return false;
    return this.traits.isRepeatedBeyondLimit?.(state, step, now) !== true;
  }

  private giveUp(state: State, step: Step, now: Instant): StepTransition<State, Step, Effect, Code> {
    const what = this.traits.describe(step);
    const reason = `The provider gave no usable answer; it is proved that ${what} did not happen.`;
    return this.traits.giveUp(state, step, reason, now);
  }
}

type StepTransition<State, Step, Effect, Code extends string> = TransitionResult<
  State,
  Effect | StepEffect<Step>,
  Code
>;

function moved<State, Step>(
  state: State,
  effect?: StepEffect<Step>,
): Extract<TransitionResult<State, StepEffect<Step>, never>, { kind: 'moved' }> {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}

function hintIn({ type, resourceId }: { readonly type: string; readonly resourceId?: string }): {
  readonly hint?: LookHint;
} {
  if (type === 'stepCameDue') return {};
  return { hint: resourceId === undefined ? {} : { resourceId } };
}

function nextLook(patience: WaitPolicy, { looks, horizonAt }: OpenStep<unknown>, now: Instant): Instant {
  const next = now + wideningWait(patience.firstLookMs, patience, looks + 1);
  // The lookup that can prove absence is made as early as possible.
  return now < horizonAt ? Math.min(next, horizonAt) : next;
}
