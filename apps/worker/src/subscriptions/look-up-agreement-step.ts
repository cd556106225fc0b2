import type { AttemptRow } from '#database/schema';
import type { PaymentsClient } from '#payments-client';
import type { Offer, SubscriptionStepInput } from '#workflows/contract';
import {
  type OpenStep,
  type StateChange,
  type SubscriptionEvent,
  type SubscriptionState,
  changeShown,
} from '#workflows/lifecycle/subscription';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { findExecutedAgreement } from '../provider/find-agreement.js';
import { lookLimit } from '../provider/provider-clients.js';
import type { LookupResult } from '../steps/lookups/look-up-step.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { lookUpBilling } from './bill-balance.js';
import { lookUpSetting } from './set-balance.js';

/** Looks up the outcome of a subscription's step. */
export async function lookUpAgreementStep(
  context: ActivityContext,
  { identity, state }: SubscriptionStepInput,
  { step }: OpenStep,
  attempts: readonly AttemptRow[],
  offer: Offer,
): Promise<LookupResult<SubscriptionEvent>> {
  const client = context.providers.for(identity);
  switch (step.type) {
    case 'createAgreement':
      // It cannot be found and does not have to be: docs/decisions/0016.
      return { type: 'creationLost' };
    case 'executeAgreement':
      return await lookUpExecution(client, state, attempts, offer);
    case 'suspendAgreement':
    case 'reactivateAgreement':
    case 'cancelAgreement':
      return await lookUpChange(client, state, attempts);
    case 'billBalance':
      return await lookUpBilling(client, state, step, attempts);
    case 'setBalance':
      return await lookUpSetting(client, state, step, attempts);
  }
}

async function lookUpExecution(
  client: PaymentsClient,
  { order }: SubscriptionState,
  attempts: readonly AttemptRow[],
  { returnUrl }: Offer,
): Promise<LookupResult<SubscriptionEvent>> {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) throw new Error('an execution of unknown outcome has no attempt');
  const until = new Date(last.send_by.getTime() + order.patience.outcomeHorizonMs);
  const found = await findExecutedAgreement(client, returnUrl, { since: first.begun_at, until });
  if (found === 'absent' || found === 'unreadable') return found;
  const agreement = await client.agreements.get(found.agreementId, { signal: lookLimit() });
  return { type: 'agreementExecuted', facts: agreementFactsOf(agreement, order.currency) };
}

async function lookUpChange(
  client: PaymentsClient,
  state: SubscriptionState,
  attempts: readonly AttemptRow[],
): Promise<LookupResult<SubscriptionEvent>> {
  const agreement = await client.agreements.get(state.agreementId ?? '', { signal: lookLimit() });
  const facts = agreementFactsOf(agreement, state.order.currency);
  // The last change before the first attempt: a newer change may come from any of the attempts.
  const first = attempts[0]?.step as Partial<StateChange> | undefined;
  return changeShown(state, facts, first?.seenUpdatedAt, Date.now(), first?.seenShown);
}
