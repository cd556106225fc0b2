import { type TransitionResult, type LifecycleState, refuse } from '../lifecycle.js';

/** The possible decisions about a step whose outcome cannot be proved. */
export const stepDecisions = ['happened', 'did_not_happen'] as const;
export type StepDecision = (typeof stepDecisions)[number];

/** The possible decisions of a lifecycle whose only review is about the unknown outcome of a step. */
export function possibleStepDecisions({
  status,
  openStep,
}: {
  readonly status: string;
  readonly openStep?: unknown;
}): readonly StepDecision[] {
  return status === 'needs_review' && openStep !== undefined ? stepDecisions : [];
}

/** An operator's decision in a review. */
export interface DecidedReview<Decision extends string = StepDecision> {
  readonly commandId: string;
  readonly decision: Decision;
  readonly reason: string;
  /** The provider's id of the resource that the operator found. */
  readonly resourceId?: string;
  /** True: if the provider cannot be read, the operator's word is accepted. */
  readonly isUnverified?: boolean;
  /** Number of the step that was under review when the decision was accepted, 0 for none. Absent in older decisions. */
  readonly step?: number;
}

/** Why a decision is refused: the provider shows the opposite, cannot be read, or may still carry out the step. */
export type DecisionRefusal = 'contradicted_by_provider' | 'cannot_be_verified' | 'too_early';

/** A decision was checked against the provider and refused. */
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

/** Takes a decision about a step, which is then checked against the provider. */
export function decideReview<State extends LifecycleState & { readonly openStep?: unknown }>(
  state: State,
  { type: _type, ...decided }: { readonly type: 'reviewDecided' } & DecidedReview,
): TransitionResult<State, ReviewEffect, 'not_allowed_in_state'> {
  const possible = possibleStepDecisions(state);
  if (isAboutAnotherStep(state, decided)) return refuseOutdated(state);
  if (!possible.includes(decided.decision)) return refuseImpossible(state, possible);
  return { kind: 'moved', state, effect: { type: 'verifyDecision', decided } };
}

/** True if the review of the decision ended, and another one began, before the decision reached the run. */
export function isAboutAnotherStep(
  { openStep }: StepUnderReview,
  { step }: { readonly step?: number },
): boolean {
  return step !== undefined && step !== stepUnderReview({ openStep });
}

/** The number of the step under review; 0 if there is none. */
export function stepUnderReview({ openStep }: StepUnderReview): number {
  return (openStep as { readonly number?: number } | undefined)?.number ?? 0;
}

interface StepUnderReview {
  readonly openStep?: unknown;
}

export function refuseOutdated<State>(state: State): TransitionResult<State, never, 'not_allowed_in_state'> {
  return refuse(state, 'not_allowed_in_state', 'What this decision is about is not under review any more.');
}

/** @param possible the possible decisions of the review. */
export function refuseImpossible<State>(
  state: State,
  possible: readonly string[],
): TransitionResult<State, never, 'not_allowed_in_state'> {
  const reason = `What is under review can be decided by ${possible.join(' or ')} only.`;
  return refuse(state, 'not_allowed_in_state', reason);
}

/** The decision was refused; the review stays open. */
export function refuseDecision<State>(
  state: State,
  { code, reason }: DecisionRefused,
): TransitionResult<State, never, DecisionRefusal> {
  return refuse(state, code, reason);
}

/** The text of a decision in the timeline. */
export function describeDecision({ decision, isUnverified, reason }: DecidedReview<string>): string {
  return `${decision}${isUnverified ? ' (on the operator’s word, where the provider cannot be read)' : ''}: ${reason}`;
}
