import { defineUpdate } from '@temporalio/workflow';
import type { DecidedReview, StepDecision } from '../lifecycle/step/review.js';

/** An operator's decision about what is under review; the id is its command's. */
export interface DecisionMessage<Decision extends string = string> {
  readonly id: string;
  readonly event: { readonly type: 'reviewDecided' } & DecidedReview<Decision>;
}

/** Of a lifecycle that is under review only for a step whose outcome cannot be proved. */
export type StepDecisionMessage = DecisionMessage<StepDecision>;

/**
 * Refused with a reason, at once, by a run that is not under review or cannot be decided in this way; the failure's
 * type is the refusal's code. Once it is taken, what comes of it is in the rows.
 */
export const decideReviewUpdate = defineUpdate<void, [DecisionMessage]>('decideReview');
