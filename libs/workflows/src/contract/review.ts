import { defineUpdate } from '@temporalio/workflow';
import type { DecidedReview, StepDecision } from '../lifecycle/step/review.js';

const decisionEvent = 'reviewDecided';

/** An operator's decision; the id is its command's. */
export interface DecisionMessage<Decision extends string = string> {
  readonly id: string;
  readonly event: { readonly type: typeof decisionEvent } & DecidedReview<Decision>;
}

/** The decision of a lifecycle whose only review is about the unknown outcome of a step. */
export type StepDecisionMessage = DecisionMessage<StepDecision>;

/**
 * A run refuses it at once if it is not under review or does not allow this decision; the failure's type is the
 * refusal's code. The result of an accepted decision is in the rows.
 */
export const decideReviewUpdate = defineUpdate<void, [DecisionMessage]>('decideReview');

/** True for the event that this Update brings. */
export function isDecision({ type }: { readonly type?: unknown }): boolean {
  return type === decisionEvent;
}
