import { z } from 'zod';
import { reviewDecisions } from '#workflows/lifecycle/payment';
import { stepDecisions } from '#workflows/lifecycle/step';
import { shownInstant } from '../wire/fields.js';

const shownAttempt = z
  .object({
    operation: z.string(),
    number: z.int().meta({ description: 'From 0: how many of its kind were proved undone before it.' }),
    requestId: z.string(),
    reference: z.string().meta({ description: 'Our reference in the provider’s records (invoice number).' }),
    begunAt: shownInstant,
    sendBy: shownInstant.meta({ description: 'The latest instant at which it may have been sent.' }),
    outcome: z.enum(['answered', 'declined', 'deferred', 'unknown', 'undone']).nullable(),
    settledAt: shownInstant.nullable(),
  })
  .meta({ id: 'Attempt' });

const shownCall = z
  .object({
    at: shownInstant,
    operation: z.string(),
    method: z.string(),
    path: z.string(),
    status: z.int().nullable().meta({ description: 'Null when no answer came.' }),
    error: z.string().nullable(),
    debugId: z.string().nullable().meta({ description: 'What the provider’s support asks for.' }),
    transactionId: z.string().nullable(),
    requestId: z.string().nullable(),
    reference: z.string().nullable(),
    durationMs: z.int(),
  })
  .meta({ id: 'ProviderCall' });

const shownDecision = z
  .object({
    id: z.string(),
    decision: z.enum(reviewDecisions),
    reason: z.string(),
    resourceId: z.string().nullable(),
    isUnverified: z.boolean(),
    decidedBy: z.string(),
    at: shownInstant,
    status: z.enum(['accepted', 'executing', 'succeeded', 'failed', 'refused']),
    refusal: z.object({ code: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: 'Decision' });

/** All that is known of what became of a step: the same for whatever is under review. */
export const evidenceShape = {
  step: z
    .object({
      operation: z.string(),
      phase: z.enum(['running', 'retry', 'doubt']),
      looks: z.int().meta({ description: 'Looks in vain so far.' }),
      inDoubtSince: shownInstant,
      horizonAt: shownInstant.meta({ description: 'From here on, absence at the provider is proof.' }),
      nextLookAt: shownInstant,
    })
    .nullable(),
  attempts: z.array(shownAttempt),
  calls: z.array(shownCall).meta({ description: 'Calls to the provider, looks included: the newest 500.' }),
  decisions: z.array(shownDecision),
};
export type ShownEvidence = z.output<z.ZodObject<typeof evidenceShape>>;

/** What is under review for one reason only: nobody can prove whether its step happened. */
export const stepReviewShape = {
  reason: z.string().nullable(),
  possibleDecisions: z.array(z.enum(stepDecisions)),
  ...evidenceShape,
};
export type ShownStepReview = z.output<z.ZodObject<typeof stepReviewShape>>;
