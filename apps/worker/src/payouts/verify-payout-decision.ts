import { NotFoundError } from '#payments-client';
import type { PayoutStepInput, PayoutStepOutcome } from '#workflows/contract';
import { isReadRequired, type DecidedReview, type PayoutEvent } from '#workflows/lifecycle/payout';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import type { NamedResource } from '../steps/reviews/decision-result.js';
import { verifyStep } from '../steps/reviews/verify-step.js';
import { lookUpItem } from './cancel-payout-item.js';
import type { PayoutWork } from './payout-writer.js';

/** Checks an operator's decision against the provider before it takes effect. */
export async function verifyPayoutDecision(
  work: PayoutWork,
  input: PayoutStepInput,
  decided: DecidedReview,
): Promise<PayoutStepOutcome> {
  return await verifyStep(work, input, decided, {
    lookUp: async ({ step }) =>
      // A batch cannot be searched by our reference, only read by its own id.
      step.type === 'createPayout' ? 'unreadable' : await lookUpItem(work, input, step),
    readNamed: async (step, id) =>
      step.type === 'createPayout' && id !== undefined
        ? await findBatch(work, input, id)
        : { kind: 'unreadable' },
    // Nothing can be concluded from the word alone: without its id the batch cannot be read, and an item's status comes
    // only from a read.
    eventOnWord: () => undefined,
    isReadRequired: (step) => isReadRequired(input.state, step, Date.now()),
  });
}

/** A batch that an operator names is accepted if it has our reference. */
async function findBatch(
  work: PayoutWork,
  { identity }: PayoutStepInput,
  id: string,
): Promise<NamedResource<PayoutEvent>> {
  try {
    const batch = await work.context.providers.for(identity).payouts.get(id, { signal: lookLimit() });
    return batch.senderBatchId === identity.payoutId
      ? { kind: 'found', event: { type: 'payoutCreated', providerBatchId: batch.id } }
      : { kind: 'another', reason: 'That batch does not have our reference.' };
  } catch (error) {
    if (error instanceof NotFoundError) return { kind: 'another', reason: 'The provider does not know it.' };
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}
