import type {
  Offer,
  SubscriptionStepInput,
  SubscriptionStepOutcome,
} from '../../../../libs/workflows/src/contract/subscription.js';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { attemptStep, requireOpenStep } from '../steps/attempt-step.js';
import type { SubscriptionWork } from './subscription-books.js';

/** Prepares an agreement for its payer (specification 2.6). Nothing is billed before it is executed. */
export async function createAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
  { name, description, returnUrl, cancelUrl }: Offer,
): Promise<SubscriptionStepOutcome> {
  const { order } = input.state;
  return await attemptStep(work, input, async ({ requestId }) => {
    const { token, approvalUrl } = await work.context.providers.for(input.identity).agreements.create(
      {
        name,
        description,
        planId: order.providerPlanId,
        startDate: new Date(order.startAt).toISOString(),
        merchantPreferences: { returnUrl, cancelUrl },
      },
      { requestId },
    );
    return { type: 'agreementCreated', token, approvalUrl };
  });
}

/** Brings what the payer approved into being: from now on it is billed, and its setup fee is collected. */
export async function executeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { token, order } = input.state;
  if (token === undefined) throw new Error('nothing to execute');
  return await attemptStep(work, input, async ({ requestId }) => {
    const { agreements } = work.context.providers.for(input.identity);
    const agreement = await agreements.execute(token, { requestId });
    return { type: 'agreementExecuted', facts: agreementFactsOf(agreement, order.currency) };
  });
}

/** Suspends, reactivates or cancels. */
export async function changeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { step } = requireOpenStep(input.state);
  const { agreementId } = input.state;
  if (!('from' in step) || agreementId === undefined) throw new Error('nothing to change');
  return await attemptStep(work, input, async ({ requestId }) => {
    const { agreements } = work.context.providers.for(input.identity);
    const note = { note: step.note };
    switch (step.type) {
      case 'suspendAgreement':
        await agreements.suspend(agreementId, note, { requestId });
        return { type: 'agreementSuspended' };
      case 'reactivateAgreement':
        await agreements.reactivate(agreementId, note, { requestId });
        return { type: 'agreementReactivated' };
      case 'cancelAgreement':
        await agreements.cancel(agreementId, note, { requestId });
        return { type: 'agreementCancelled' };
    }
  });
}
