import { type TransitionResult, type LifecycleState, refuse } from '../lifecycle.js';

/** What a person can say about a step whose outcome cannot be proved. */
export const stepDecisions = ['happened', 'did_not_happen'] as const;
export type StepDecision = (typeof stepDecisions)[number];

/**
 * What a person may say of a lifecycle that is under review for one reason only: nobody can prove whether its step
 * happened.
 */
export function possibleStepDecisions({
  status,
  openStep,
}: {
  readonly status: string;
  readonly openStep?: unknown;
}): readonly StepDecision[] {
  return status === 'needs_review' && openStep !== undefined ? stepDecisions : [];
}

/** An operator's decision about what is under review. */
export interface DecidedReview<Decision extends string = StepDecision> {
  readonly commandId: string;
  readonly decision: Decision;
  readonly reason: string;
  /** The provider's id of what was found there. */
  readonly resourceId?: string;
  /** Where the provider cannot be read, the operator's word stands for it. */
  readonly isUnverified?: boolean;
}

/**
 * Why a decision is not taken: the provider shows the contrary, cannot be read, or may still carry the step out.
 */
export type DecisionRefusal = 'contradicted_by_provider' | 'cannot_be_verified' | 'too_early';

/** What became of a decision when it was held against the provider, and did not stand. */
export interface DecisionRefused {
  readonly type: 'decisionRefused';
  readonly commandId: string;
  readonly code: DecisionRefusal;
  readonly reason: string;
}

export type ReviewEvent<Decision extends string = StepDecision> =
  ({ readonly type: 'reviewDecided' } & DecidedReview<Decision>) | DecisionRefused;

export interface ReviewEffect<Decision extends string = StepDecision> {
  readonly type: 'verifyDecision';
  readonly decided: DecidedReview<Decision>;
}

/** An operator has decided about a step; what is said is held against the provider before it is believed. */
export function decideReview<State extends LifecycleState & { readonly openStep?: unknown }>(
  state: State,
  { type: _type, ...decided }: { readonly type: 'reviewDecided' } & DecidedReview,
): TransitionResult<State, ReviewEffect, 'not_allowed_in_state'> {
  const possible = possibleStepDecisions(state);
  if (!possible.includes(decided.decision)) return refuseImpossible(state, possible);
  return { kind: 'moved', state, effect: { type: 'verifyDecision', decided } };
}

/** @param possible what can be said about what is under review. */
export function refuseImpossible<State>(
  state: State,
  possible: readonly string[],
): TransitionResult<State, never, 'not_allowed_in_state'> {
  const reason = `What is under review can be decided by ${possible.join(' or ')} only.`;
  return refuse(state, 'not_allowed_in_state', reason);
}

/** It did not stand: the question is still open. */
export function refuseDecision<State>(
  state: State,
  { code, reason }: DecisionRefused,
): TransitionResult<State, never, DecisionRefusal> {
  return refuse(state, code, reason);
}

/** How a decision reads in a story. */
export function describeDecision({ decision, isUnverified, reason }: DecidedReview<string>): string {
  return `${decision}${isUnverified ? ' (on the operator’s word, where the provider cannot be read)' : ''}: ${reason}`;
}
