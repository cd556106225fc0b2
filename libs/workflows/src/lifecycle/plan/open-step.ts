import type { Instant, WaitPolicy } from '../lifecycle.js';
import { StepRules } from '../step/step-rules.js';
import type { OpenStep, PlanTransitionResult, PlanEffect, PlanState, PlanStatus, PlanStep } from './plan.js';

/** Names a step for ever: each is done once in a plan's life. */
export function nameOfStep({ step }: Pick<OpenStep, 'step'>): string {
  return step.type === 'createPlan' ? 'create' : 'activate';
}

/** A plan too many moves no money, so nobody is asked about one in doubt: it is looked for until it can be read. */
export function waitPolicyOf({ order }: PlanState): WaitPolicy {
  return { ...order.patience, reviewAfterMs: Number.MAX_SAFE_INTEGER };
}

/** How a plan's steps go on while their outcome is open. */
export const steps = new StepRules<PlanState, PlanStep, PlanEffect, never>({
  waitPolicyOf,
  statusDuring: ({ type }) => (type === 'createPlan' ? 'creating' : 'activating'),
  describe: ({ type }) => (type === 'createPlan' ? 'the creation of the plan' : 'the activation of the plan'),
  enter,
  giveUp: (state, _step, reason, now) => end(state, 'declined', reason, now),
});

/** The reason for standing where it stood goes with the status that it explained. */
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
