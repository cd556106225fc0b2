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
import type { Look } from '../steps/look-up-step.js';
import type { ActivityContext } from '../context.js';

/** What the provider shows of a subscription's step. */
export async function lookForAgreementStep(
  context: ActivityContext,
  { identity, state }: SubscriptionStepInput,
  { step }: OpenStep,
  attempts: readonly AttemptRow[],
  offer: Offer,
): Promise<Look<SubscriptionEvent>> {
  const client = context.providers.for(identity);
  switch (step.type) {
    case 'createAgreement':
      // It cannot be found, and it need not be: docs/decisions/0016.
      return { type: 'creationLost' };
    case 'executeAgreement':
      return await lookForExecution(client, state, attempts, offer);
    case 'suspendAgreement':
    case 'reactivateAgreement':
    case 'cancelAgreement':
      return await lookForChange(client, state, attempts);
  }
}

async function lookForExecution(
  client: PaymentsClient,
  { order }: SubscriptionState,
  attempts: readonly AttemptRow[],
  { returnUrl }: Offer,
): Promise<Look<SubscriptionEvent>> {
  const [first, last] = [attempts[0], attempts.at(-1)];
  if (!first || !last) throw new Error('an execution in doubt has no attempt');
  const until = new Date(last.send_by.getTime() + order.patience.outcomeHorizonMs);
  const found = await findExecutedAgreement(client, returnUrl, { since: first.begun_at, until });
  if (found === 'absent' || found === 'unreadable') return found;
  const agreement = await client.agreements.get(found.agreementId, { signal: lookLimit() });
  return { type: 'agreementExecuted', facts: agreementFactsOf(agreement, order.currency) };
}

async function lookForChange(
  client: PaymentsClient,
  state: SubscriptionState,
  attempts: readonly AttemptRow[],
): Promise<Look<SubscriptionEvent>> {
  const agreement = await client.agreements.get(state.agreementId ?? '', { signal: lookLimit() });
  const facts = agreementFactsOf(agreement, state.order.currency);
  // Before the first of them was sent: what is newer may be the doing of any.
  const first = attempts[0]?.step as Partial<StateChange> | undefined;
  return changeShown(state, facts, first?.seenUpdatedAt, Date.now());
}
