import type { DatabaseTransaction } from '#database/connection';
import { type PaymentsRead, savePayments } from '#database/subjects';
import { findDetail } from '#database/transitions';
import {
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSubject,
} from '#workflows/contract';
import {
  bookReadSince,
  describeChanges,
  mayLackFailure,
  type AgreementFacts,
  type SubscriptionEvent,
  type SubscriptionState,
  isTerminal,
} from '#workflows/lifecycle/subscription';
import { readTwoClocks } from '../process/two-clocks.js';
import { agreementFactsOf } from '../provider/agreement-facts.js';
import { allOf, readPayments } from '../provider/agreement-payments.js';
import { isUnconfirmed, leavesOutLatest } from '../provider/unconfirmed-payments.js';
import { lookLimit } from '../provider/provider-clients.js';
import { isProviderTrouble } from '../provider/provider-facts.js';
import { readAgain } from '../provider/read-again.js';
import { makeRead } from '../steps/activities/make-read.js';
import { recordEvent, recordFinding } from '../steps/activities/record-event.js';
import type { ActivityContext } from '../steps/activities/context.js';
import { requireOwnSales } from './require-own-sales.js';
import type { SubscriptionWork } from './subscription-writer.js';

/** Reads the agreement, and its payments if they may have changed. A webhook is only a hint; this read decides. */
export async function observeAgreement(
  work: SubscriptionWork,
  input: SubscriptionStepInput,
): Promise<SubscriptionStepOutcome> {
  const { context } = work;
  const { shown, made } = await makeRead(context, () => read(context, input));
  if (shown === 'failed') return await recordEvent(work, input, { type: 'observationFailed' }, made);
  // Writes the payments in the same transaction as the transition that reports them: after a crash in between they
  // would never be reported.
  return await recordFinding(work, input, (trx) => saved(trx, input, shown), made);
}

interface ReadAgreement {
  readonly facts: AgreementFacts;
  readonly mayLackPayments?: boolean;
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
    const { inOrder: readAt } = await readTwoClocks(context.db);
    const until = Date.now();
    const list = () => readPayments(client, agreementId, order.currency, { since, until });
    const payments = isLastRead(state) ? allOf(await list(), await readAgain(list)) : await list();
    // An answer that is cut short may lack the latest payment, which an earlier one has shown.
    const billing = { ...state.billing, ...facts.billing };
    await requireOwnSales(context, { identity, state }, payments, billing);
    const listed = { payments, billing, since, readAt: until };
    const mayLackPayments = mayLackFailure(state, facts.billing);
    // A doubt is noted once, which limits it in time.
    if (await isUnconfirmed(client, state, listed))
      return { facts, mayLackPayments: mayLackPayments || state.confirmAt === undefined };
    // Whatever its age: an empty list does not count if the agreement shows a payment.
    const isNone = payments.length === 0 && leavesOutLatest(listed);
    return { facts, mayLackPayments, ...(!isNone && { book: { readAt, payments } }) };
  } catch (error) {
    // The run reads again later. A bug of ours must not be treated as a provider that is away.
    if (isProviderTrouble(error)) return 'failed';
    throw error;
  }
}

/** No later read brings what its list leaves out, so it is read twice, as every proof of absence is (0009). */
function isLastRead({ status, confirmAt, lastPollAt }: SubscriptionState): boolean {
  return isTerminal(status) && confirmAt !== undefined && lastPollAt >= confirmAt;
}

async function saved(
  trx: DatabaseTransaction,
  { identity, state: { order, status, confirmAt }, version }: SubscriptionStepInput,
  { facts, book, mayLackPayments }: ReadAgreement,
): Promise<SubscriptionEvent> {
  const seen = { type: 'agreementObserved', facts } as const;
  if (!book) return { ...seen, ...(mayLackPayments && { mayLackPayments }) };
  const { currency, patience } = order;
  const subject = subscriptionSubject(identity);
  const listed = { ...book, lagMs: patience.outcomeHorizonMs };
  const { changes, mayLag, ...known } = await savePayments(trx, subject, currency, listed);
  const changed = changes.map((change) => ({ ...change, amount: { minor: change.minor, currency } }));
  // A worker that died after its transaction has already reported what its successor no longer finds as new.
  const line = { version: version + 1, event: 'agreementObserved' };
  const detail = describeChanges(changed, isTerminal(status)) ?? (await findDetail(trx, subject.id, line));
  const isOwed = mayLackPayments || (mayLag && confirmAt === undefined);
  const owing = { ...seen, ...(isOwed && { mayLackPayments: true as const }) };
  // A read that may lag settles no debt: the payments are read again.
  if (mayLag && detail === undefined) return owing;
  return { ...owing, book: { ...known, ...(detail !== undefined && { told: detail }) } };
}
