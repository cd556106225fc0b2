import { NotFoundError } from '#payments-client';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { askAgainUntil, type DecidedReview, type PayoutEvent } from '#workflows/lifecycle/payout';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import type { NamedResource } from '../steps/decision-result.js';
import { verifyStep } from '../steps/verify-step.js';
import { lookAtItem } from './cancel-payout-item.js';
import type { PayoutWork } from './payout-books.js';

/** Holds an operator's decision against the provider, before it is believed. */
export async function verifyPayoutDecision(
  work: PayoutWork,
  input: PayoutStepInput,
  decided: DecidedReview,
): Promise<PayoutStepOutcome> {
  return await verifyStep(work, input, decided, {
    look: async ({ step }) =>
      // No search finds a batch by our reference: only its own id shows it.
      step.type === 'createPayout' ? 'unreadable' : await lookAtItem(work, input, step),
    findNamed: async (step, id) =>
      step.type === 'createPayout' && id !== undefined
        ? await findBatch(work, input, id)
        : { kind: 'unreadable' },
    // Without its id nobody could mind the batch, and what an item came to is in its row only by a read.
    eventOnWord: () => undefined,
    // As long as it is asked for, the provider will tell; a batch that pays must not be ordered a second time.
    isReadRequired: ({ type }) => type === 'createPayout' && Date.now() < askAgainUntil(input.state),
  });
}

/** A batch that an operator names is believed to be this one when it bears our reference. */
async function findBatch(
  work: PayoutWork,
  { identity }: PayoutStepInput,
  id: string,
): Promise<NamedResource<PayoutEvent>> {
  try {
    const batch = await work.context.providers.for(identity).payouts.get(id, { signal: lookLimit() });
    return batch.senderBatchId === identity.payoutId
      ? { kind: 'found', event: { type: 'payoutCreated', providerBatchId: batch.id } }
      : { kind: 'another', reason: 'That batch does not bear our reference.' };
  } catch (error) {
    if (error instanceof NotFoundError) return { kind: 'another', reason: 'The provider does not know it.' };
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}
