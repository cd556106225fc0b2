import { NotFoundError } from '#payments-client';
import type { Offer, SubscriptionStepInput, SubscriptionStepOutcome } from '#workflows/contract';
import type { DecidedReview } from '#workflows/lifecycle/step';
import { eventOnWord, isReadRequired, type SubscriptionEvent } from '#workflows/lifecycle/subscription';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { isReturnTo } from '../provider/return-address.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import type { NamedResource } from '../steps/reviews/decision-result.js';
import { verifyStep } from '../steps/reviews/verify-step.js';
import { findBilledSale } from './bill-balance.js';
import { lookUpAgreementStep } from './look-up-agreement-step.js';
import type { SubscriptionWork } from './subscription-writer.js';

/** Checks an operator's decision against the provider before it takes effect. */
export async function verifySubscriptionDecision(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
  offer: Offer,
  decided: DecidedReview,
): Promise<SubscriptionStepOutcome> {
  return await verifyStep(work, input, decided, {
    lookUp: (step, attempts) => lookUpAgreementStep(work.context, input, step, attempts, offer),
    readNamed: async (step, id, attempts) => {
      if (id === undefined) return { kind: 'unreadable' };
      if (step.type === 'executeAgreement') return await findAgreement(work, input, offer, id);
      if (step.type !== 'billBalance') return { kind: 'unreadable' };
      const client = work.context.providers.for(input.identity);
      return await findBilledSale(client, input.state, step, id, attempts);
    },
    eventOnWord,
    isReadRequired,
  });
}

/** An agreement that an operator names is accepted if it has our return address. */
async function findAgreement(
  { context }: SubscriptionWork,
  { identity, state: { order } }: SubscriptionStepInput,
  { returnUrl }: Offer,
  id: string,
): Promise<NamedResource<SubscriptionEvent>> {
  try {
    const agreement = await context.providers.for(identity).agreements.get(id, { signal: lookLimit() });
    if (!isReturnTo(returnUrl, agreement.returnUrl)) {
      return { kind: 'another', reason: 'That agreement does not have our return address.' };
    }
    const facts = agreementFactsOf(agreement, order.currency);
    return { kind: 'found', event: { type: 'agreementExecuted', facts } };
  } catch (error) {
    if (error instanceof NotFoundError) {
      return { kind: 'another', reason: 'The provider does not know that agreement.' };
    }
    if (isProviderTrouble(error)) return { kind: 'unreadable' };
    throw error;
  }
}
