import {
  type Offer,
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSubject,
} from '#workflows/contract';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import { attemptStep } from '../steps/attempt-step.js';
import { requireOpenStep } from '../steps/step-record.js';
import type { SubscriptionWork } from './subscription-books.js';
import { readBeforeSending } from '../steps/read-before-sending.js';

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
    // Decided on before, perhaps long ago: a worker may have been starved, or another one may have taken it over.
    if (order.executeBefore !== undefined && Date.now() >= order.executeBefore) {
      return { type: 'approvalFoundMissing' };
    }
    const { agreements } = work.context.providers.for(input.identity);
    const agreement = await agreements.execute(token, { requestId });
    return { type: 'agreementExecuted', facts: agreementFactsOf(agreement, order.currency) };
  });
}

/**
 * Suspends, reactivates or cancels. The attempt's row keeps when the agreement was last changed before it was sent: a read
 * that shows the state which was asked for, from before that, is no proof that it was done.
 */
export async function changeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const openStep = requireOpenStep(input.state);
  const { step } = openStep;
  const { agreementId } = input.state;
  if (!('from' in step) || agreementId === undefined) throw new Error('nothing to change');
  const seenUpdatedAt = await lastChangeOf(work, input, agreementId);
  const looked = { ...step, ...(seenUpdatedAt !== undefined && { seenUpdatedAt }) };
  const state = { ...input.state, openStep: { ...openStep, step: looked } };
  return await attemptStep(work, { ...input, state }, async ({ requestId }) => {
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

/** Where it cannot be read, what was read before must do. By the provider's clock, where it tells. */
async function lastChangeOf(
  { context }: SubscriptionWork,
  { identity, state }: SubscriptionStepInput,
  agreementId: string,
): Promise<number | undefined> {
  const known = state.billing?.updatedAt;
  // An end is an end, whoever made it: a lost answer is told from a lost request without.
  if (state.openStep?.step.type === 'cancelAgreement') return known;
  const { agreements } = context.providers.for(identity);
  const agreement = await readBeforeSending(context, subscriptionSubject(identity), () =>
    agreements.get(agreementId, { signal: lookLimit() }),
  );
  const seen = agreement?.updateTime === undefined ? known : Date.parse(agreement.updateTime);
  return seen === undefined ? undefined : Math.max(seen, known ?? seen);
}
