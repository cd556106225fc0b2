import { z } from 'zod';
import {
  paymentStatuses,
  reviewDecisions,
  reviewSubjects,
  reviewSubject,
  possibleDecisions,
} from '#workflows/lifecycle/payment';
import { evidenceShape, type ShownEvidence } from '../reviews/evidence-answers.js';
import { commandStatus } from '../commands/command-reply.js';
import { paymentAnswer } from './payment-answers.js';
import type { PaymentRow } from '#database/schema';

export const reviewAnswer = z
  .object({
    paymentId: z.string(),
    state: z.enum(paymentStatuses),
    reason: z.string().nullable(),
    subject: z.enum(reviewSubjects).nullable().meta({
      description: 'What a person must decide; null while nothing is under review.',
    }),
    possibleDecisions: z.array(z.enum(reviewDecisions)),
    ...evidenceShape,
  })
  .meta({ id: 'Review' });
export type ReviewAnswer = z.output<typeof reviewAnswer>;

export const decisionAnswer = z
  .object({
    id: z.string().meta({ description: 'Id of the decision.' }),
    status: commandStatus,
    payment: paymentAnswer,
  })
  .meta({ id: 'DecisionResult' });
export type DecisionAnswer = z.output<typeof decisionAnswer>;

export function viewReview({ id, state }: PaymentRow, evidence: ShownEvidence): ReviewAnswer {
  return {
    paymentId: id,
    state: state.status,
    reason: state.reason ?? null,
    subject: reviewSubject(state) ?? null,
    possibleDecisions: [...possibleDecisions(state)],
    ...evidence,
  };
}
