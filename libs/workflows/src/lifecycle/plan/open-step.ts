import type { Instant, WaitPolicy } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import type {
  OpenStep,
  PlanEffect,
  PlanRefusalCode,
  PlanState,
  PlanStatus,
  PlanStep,
  PlanTransitionResult,
} from './plan.js';

const statusDuring = {
  createPlan: 'creating',
  activatePlan: 'activating',
  deactivatePlan: 'deactivating',
} as const satisfies Record<PlanStep['type'], PlanStatus>;

const words: Readonly<Record<PlanStep['type'], string>> = {
  createPlan: 'the creation of the plan',
  activatePlan: 'the activation of the plan',
  deactivatePlan: 'the deactivation of the plan',
};

/** The permanent name of a step: a plan is created and activated once. */
export function nameOfStep({ step }: Pick<OpenStep, 'step'>): string {
  if (step.type === 'deactivatePlan') return step.commandId;
  return step.type === 'createPlan' ? 'create' : 'activate';
}

/** A superfluous plan moves no money, so there is no review: an unknown outcome is looked up until it is known. */
export function waitPolicyOf({ order }: PlanState): WaitPolicy {
  return { ...order.patience, reviewAfterMs: Number.MAX_SAFE_INTEGER };
}

/** The step rules of a plan. */
export const steps = new StepRules<PlanState, PlanStep, PlanEffect, PlanRefusalCode>({
  waitPolicyOf,
  statusDuring: ({ type }) => statusDuring[type],
  describe: ({ type }) => words[type],
  enter,
  giveUp: (state, { type }, reason, now) =>
    type === 'deactivatePlan'
      ? failDeactivation(state, { reason }, now)
      : end(state, 'declined', reason, now),
});

/** The plan was not deactivated, and still takes subscriptions. A read shows the reason. */
export function failDeactivation(
  state: PlanState,
  { reason }: { readonly reason: string },
  now: Instant,
): PlanTransitionResult {
  return observe({ ...enter(withoutStep(state), 'active', now), reason }, now);
}

/** A reason explains one status, so it is removed when the status changes. */
export function enter(state: PlanState, status: PlanStatus, now: Instant): PlanState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  return { ...rest, status, polls: 0, lastPollAt: now };
}

export function withoutStep(state: PlanState): PlanState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

export function end(
  state: PlanState,
  status: 'declined' | 'deleted',
  reason: string,
  now: Instant,
): PlanTransitionResult {
  return { kind: 'moved', state: { ...enter(withoutStep(state), status, now), reason } };
}

export function observe(state: PlanState, now: Instant): PlanTransitionResult {
  return {
    kind: 'moved',
    state: { ...state, polls: state.polls + 1, lastPollAt: now, readOwed: false },
    effect: { type: 'observe' },
  };
}
