import type { Instant, WaitPolicy } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import type { OpenStep, PlanTransitionResult, PlanEffect, PlanState, PlanStatus, PlanStep } from './plan.js';

/** The permanent name of a step: a plan has each step once. */
export function nameOfStep({ step }: Pick<OpenStep, 'step'>): string {
  return step.type === 'createPlan' ? 'create' : 'activate';
}

/** A superfluous plan moves no money, so there is no review: an unknown outcome is looked up until it is known. */
export function waitPolicyOf({ order }: PlanState): WaitPolicy {
  return { ...order.patience, reviewAfterMs: Number.MAX_SAFE_INTEGER };
}

/** The step rules of a plan. */
export const steps = new StepRules<PlanState, PlanStep, PlanEffect, never>({
  waitPolicyOf,
  statusDuring: ({ type }) => (type === 'createPlan' ? 'creating' : 'activating'),
  describe: ({ type }) => (type === 'createPlan' ? 'the creation of the plan' : 'the activation of the plan'),
  enter,
  giveUp: (state, _step, reason, now) => end(state, 'declined', reason, now),
});

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
