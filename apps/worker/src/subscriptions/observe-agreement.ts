import { readClock } from '../../../../libs/database/src/attempts.js';
import type { DatabaseTransaction } from '../../../../libs/database/src/database.js';
import { type PaymentsRead, savePayments } from '../../../../libs/database/src/subscription-payments.js';
import { findDetail } from '../../../../libs/database/src/timeline.js';
import {
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSubject,
} from '../../../../libs/workflows/src/contract/subscription.js';
import { bookReadSince } from '../../../../libs/workflows/src/lifecycle/subscription/book.js';
import { describeChanges } from '../../../../libs/workflows/src/lifecycle/subscription/payment-status.js';
import {
  type AgreementFacts,
  type SubscriptionEvent,
  isTerminal,
} from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { readPayments } from '../provider/agreement-payments.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { recordEvent, recordFinding } from '../steps/record-event.js';
import type { ActivityContext } from '../context.js';
import type { SubscriptionWork } from './subscription-books.js';

/** Reads the agreement, and its payments where they may have changed: a webhook is a hint, this is the truth. */
export async function observeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { context } = work;
  const { result, calls } = await context.providers.recording(() => read(context, input));
  if (result === 'failed') return await recordEvent(work, input, { type: 'observationFailed' }, calls);
  // The book together with the transition that tells what has changed in it: a crash between them would leave it untold.
  return await recordFinding(work, input, (trx) => saved(trx, input, result), calls);
}

interface ReadAgreement {
  readonly facts: AgreementFacts;
  readonly book?: PaymentsRead;
}

async function read(
  context: ActivityContext,
  { identity, state }: SubscriptionStepInput,
): Promise<ReadAgreement | 'failed'> {
  const { agreementId, order } = state;
  if (agreementId === undefined) return 'failed';
  const client = context.providers.for(identity);
  try {
    const agreement = await client.agreements.get(agreementId, { signal: lookLimit() });
    const facts = agreementFactsOf(agreement, order.currency);
    const createdAt = Date.parse(agreement.createTime ?? '') || order.startAt;
    const since = bookReadSince(state, facts.billing, createdAt);
    if (since === undefined) return { facts };
    const readAt = await readClock(context.db);
    const time = { since, until: Date.now() };
    const payments = await readPayments(client, agreementId, order.currency, time);
    // A list that leaves out what the agreement itself tells of is none: what is owed of the book stays owed.
    const isCutShort = payments.length === 0 && (facts.billing.lastPaymentAt ?? 0) >= since;
    return isCutShort ? { facts } : { facts, book: { readAt, payments } };
  } catch (error) {
    // The run looks again later; a bug of ours must not pass for a silent provider.
    if (isProviderTrouble(error)) return 'failed';
    throw error;
  }
}

async function saved(
  trx: DatabaseTransaction,
  { identity, state: { order, status }, version }: SubscriptionStepInput,
  { facts, book }: ReadAgreement,
): Promise<SubscriptionEvent> {
  if (!book) return { type: 'agreementObserved', facts };
  const { currency } = order;
  const subject = subscriptionSubject(identity);
  const { changes, ...known } = await savePayments(trx, subject, currency, book);
  const changed = changes.map((change) => ({ ...change, amount: { minor: change.minor, currency } }));
  // A worker that died between its transaction and Temporal has told already what its successor finds no more.
  const line = { version: version + 1, event: 'agreementObserved' };
  const told = describeChanges(changed, isTerminal(status)) ?? (await findDetail(trx, subject.id, line));
  return { type: 'agreementObserved', facts, book: { ...known, ...(told !== undefined && { told }) } };
}
