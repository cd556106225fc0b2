import { savePayments } from '../../../../libs/database/src/subscriptions.js';
import {
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSubject,
} from '../../../../libs/workflows/src/contract/subscription.js';
import { isSame } from '../../../../libs/workflows/src/lifecycle/subscription/observation.js';
import type {
  SubscriptionEvent,
  SubscriptionState,
} from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { type ReadPayments, agreementFactsOf, readPayments } from '../provider/agreement-facts.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { recordEvent } from '../steps/record-event.js';
import type { ActivityContext } from './activity-context.js';
import type { SubscriptionWork } from './subscription-books.js';

/** Reads the agreement, and its payments where they may have changed: a webhook is a hint, this is the truth. */
export async function observeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { context } = work;
  const { result, calls } = await context.providers.recording(() => read(context, input));
  const { event, book } = result;
  // Before the transition that rests on it. It may be written again: the provider's word is put over its own.
  if (book) await savePayments(context.db, subscriptionSubject(input.identity), book.payments, book.saleIds);
  return await recordEvent(work, input, event, calls);
}

interface ReadAgreement {
  readonly event: SubscriptionEvent;
  readonly book?: ReadPayments;
}

async function read(
  context: ActivityContext,
  { identity, state }: SubscriptionStepInput,
): Promise<ReadAgreement> {
  const { agreementId, order } = state;
  if (agreementId === undefined) return { event: { type: 'observationFailed' } };
  const client = context.providers.for(identity);
  try {
    const agreement = await client.agreements.get(agreementId, { signal: lookLimit() });
    const facts = agreementFactsOf(agreement, order.currency);
    if (!state.arePaymentsOwed && isSame(facts.billing, state.billing)) {
      return { event: { type: 'agreementObserved', facts } };
    }
    const since = earliestChange(state, Date.parse(agreement.createTime ?? '') || order.startAt);
    const book = await readPayments(client, agreementId, order.currency, { since, until: Date.now() });
    return { event: { type: 'agreementObserved', facts, withPayments: true }, book };
  } catch (error) {
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return { event: { type: 'observationFailed' } };
    throw error;
  }
}

/** What was paid up to the last payment that we know of is in the book, unless one of any age is said to have changed. */
function earliestChange({ arePaymentsOwed, billing }: SubscriptionState, createdAt: number): number {
  return arePaymentsOwed ? createdAt : (billing?.lastPaymentAt ?? createdAt);
}
