import { z } from 'zod';
import { reviewDecisions } from '#workflows/lifecycle/payment';
import { stepDecisions } from '#workflows/lifecycle/step';
import { shownInstant } from '../wire/fields.js';
import { commandStates } from '../wire/state-words.js';
import { shownState } from '../wire/states.js';
import { shownCall } from '../wire/provider-call.js';

const shownAttempt = z
  .object({
    operation: z.string(),
    number: z
      .int()
      .meta({ description: 'Counts from 0: how many attempts of this step were proved undone before it.' }),
    requestId: z.string(),
    reference: z.string().meta({ description: 'Our reference in the provider’s records (invoice number).' }),
    begunAt: shownInstant,
    sendBy: shownInstant.meta({ description: 'The latest instant at which the attempt can have been sent.' }),
    outcome: z.enum(['answered', 'declined', 'deferred', 'unknown', 'undone']).nullable(),
    settledAt: shownInstant.nullable(),
  })
  .meta({ id: 'Attempt' });

const shownDecision = z
  .object({
    id: z.string(),
    decision: z.enum(reviewDecisions),
    reason: z.string(),
    resourceId: z.string().nullable(),
    isUnverified: z.boolean(),
    decidedBy: z.string(),
    at: shownInstant,
    state: shownState(['accepted', 'executing', 'succeeded', 'failed', 'refused'], commandStates),
    refusal: z.object({ code: z.string(), reason: z.string() }).nullable(),
  })
  .meta({ id: 'Decision' });

/** The evidence about the outcome of a step, for subjects of every kind. */
export const evidenceShape = {
  step: z
    .object({
      operation: z.string(),
      phase: z.enum(['running', 'retry', 'doubt']),
      looks: z.int().meta({ description: 'The number of lookups so far that found no outcome.' }),
      inDoubtSince: shownInstant,
      horizonAt: shownInstant.meta({
        description: 'The end of the outcome horizon: from then on, absence at the provider is proof.',
      }),
      nextLookAt: shownInstant,
    })
    .nullable(),
  attempts: z.array(shownAttempt),
  calls: z.array(shownCall).meta({ description: 'The newest 500 calls to the provider, including lookups.' }),
  decisions: z.array(shownDecision),
};
export type ShownEvidence = z.output<z.ZodObject<typeof evidenceShape>>;

/** A review with one possible reason: the outcome of the step is unknown. */
export const stepReviewShape = {
  reason: z.string().nullable(),
  possibleDecisions: z.array(z.enum(stepDecisions)),
  ...evidenceShape,
};
export type ShownStepReview = z.output<z.ZodObject<typeof stepReviewShape>>;
