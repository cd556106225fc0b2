import { z } from 'zod';
import {
  type PaymentState,
  paymentStatuses,
  reviewDecisions,
  reviewSubjects,
  reviewSubject,
  possibleDecisions,
} from '#workflows/lifecycle/payment';
import { evidenceShape } from '../reviews/evidence-answers.js';
import { paymentStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import type { Review } from '../reviews/evidence.js';

export const reviewAnswer = z
  .object({
    paymentId: z.string(),
    state: shownState(paymentStatuses, paymentStates),
    reason: z.string().nullable(),
    subject: z.enum(reviewSubjects).nullable().meta({
      description: 'What a person must decide; null while nothing is under review.',
    }),
    possibleDecisions: z.array(z.enum(reviewDecisions)),
    ...evidenceShape,
  })
  .meta({ id: 'Review' });
export type ReviewAnswer = z.output<typeof reviewAnswer>;

export function viewReview(paymentId: string, { state, evidence }: Review<PaymentState>): ReviewAnswer {
  return {
    paymentId,
    state: state.status,
    reason: state.reason ?? null,
    subject: reviewSubject(state) ?? null,
    possibleDecisions: [...possibleDecisions(state)],
    ...evidence,
  };
}
