import {
  findChangedPayments,
  findDriftedPayments,
  findSettledPayment,
  samplePayments,
} from '../../../../libs/database/src/compared-payments.js';
import { recordComparison, recordUnanswered } from '../../../../libs/database/src/drift.js';
import {
  type Owner,
  noteReconciled,
  openReconciliation,
} from '../../../../libs/database/src/reconciliation.js';
import type { PaymentRow } from '../../../../libs/database/src/schema.js';
import { MalformedAnswerError, NotFoundError } from '../../../../libs/payments-client/src/index.js';
import {
  type Difference,
  differencesOf,
} from '../../../../libs/workflows/src/lifecycle/payment/difference.js';
import { InvalidAmountError } from '../../../../libs/workflows/src/lifecycle/money.js';
import { isTerminal } from '../../../../libs/workflows/src/lifecycle/payment/payment.js';
import { lookLimit } from '../provider/provider-clients.js';
import { UnreadableAnswerError, factsOf } from '../provider/provider-facts.js';
import type { MaintenanceContext } from '../activities/activity-context.js';
import { eachAbreast } from './each-abreast.js';

/** Reads of the provider in one run: changed payments, those that did not agree, and a few of all others. */
const changedAtOnce = 100;
const driftedAtOnce = 20;
const sampledAtOnce = 5;
const sampleReachMs = 30 * 86_400_000;
const abreast = 4;

/**
 * Compares payments at rest with what the provider shows: each one after it has changed, those that did not agree
 * until they do, and a rolling sample of all. A difference is reported, and mended only by the payment's own run.
 */
export async function reconcilePayments(context: MaintenanceContext, owner: Owner): Promise<void> {
  const { db } = context;
  const { overlapMs } = context.reconciliation;
  const cursor = await openReconciliation(db, owner, overlapMs);
  const changed = await findChangedPayments(db, owner, {
    after: cursor.timeline_until,
    settledForMs: overlapMs,
    limit: changedAtOnce,
  });
  const drifted = await findDriftedPayments(db, owner, driftedAtOnce);
  const sampled = await samplePayments(db, owner, {
    before: cursor.sampled_until,
    reachMs: sampleReachMs,
    limit: sampledAtOnce,
  });
  // Those that could not be read the last time come last: they must not make the provider look as if it were away.
  const all = new Set([...sampled, ...changed.paymentIds].filter((id) => !drifted.includes(id)));
  let answered = 0;
  const { failed } = await eachAbreast(abreast, [...all, ...drifted], async (paymentId) => {
    const payment = await findSettledPayment(db, paymentId, overlapMs);
    if (!payment || !isComparable(payment)) return;
    await compare(context, payment);
    answered += 1;
  });
  // Nobody was answered: the provider is away, which is no payment's drift.
  if (failed[0] && answered === 0) throw failed[0].error;
  // The others were answered, so these are kept in mind each for itself, and hold up nobody.
  for (const { item: id } of failed) await recordUnanswered(db, { ...owner, id });
  await noteReconciled(db, owner, {
    timelineUntil: changed.until,
    sampledUntil: sampled.length < sampledAtOnce ? null : (sampled.at(-1) ?? null),
  });
}

/** A call under way is looked after by its run; before the first one there is nothing to compare with. */
function isComparable({ state }: PaymentRow): boolean {
  return !state.openStep && state.providerPaymentId !== undefined;
}

async function compare(context: MaintenanceContext, payment: PaymentRow): Promise<void> {
  const { environment, application, version, state } = payment;
  const subject = { environment, application, id: payment.id };
  const { result, calls } = await context.providers.recording(() =>
    readDifferences(context, payment, state.providerPaymentId ?? ''),
  );
  const isUnreadable = result === 'unreadable';
  const differences = isUnreadable ? [{ field: 'payment', ours: state.status, theirs: result }] : result;
  const fresh = await recordComparison(context.db, {
    subject,
    comparedWith: 'provider',
    version,
    differences,
    isUnreadable,
    calls,
  });
  if (fresh.length === 0) return;
  context.logger.warn(
    { ...subject, fields: fresh.map(withoutIds) },
    'a payment is not as the provider shows it',
  );
  if (isTerminal(payment.status)) return;
  // What the run can follow, it follows: the hint makes it read the provider itself.
  const hint = { type: 'providerNotified', eventType: 'RECONCILIATION' } as const;
  await context.runs.signal(subject, { id: `reconciliation:${version}`, event: hint });
}

/** @throws when the provider is away: then nothing is known, and nothing is noted. */
async function readDifferences(
  { providers }: MaintenanceContext,
  { environment, application, state }: PaymentRow,
  providerPaymentId: string,
): Promise<Difference[] | 'unreadable'> {
  const { payments } = providers.for({ environment, application });
  try {
    const shown = await payments.get(providerPaymentId, { signal: lookLimit() });
    return differencesOf(state, factsOf(shown, state.order.amount.currency));
  } catch (error) {
    if (error instanceof NotFoundError) return differencesOf(state, 'missing');
    // One payment that is told of in words we cannot read must not keep all others from being compared.
    if (isUnreadableAnswer(error)) return 'unreadable';
    throw error;
  }
}

function isUnreadableAnswer(error: unknown): boolean {
  return (
    error instanceof MalformedAnswerError ||
    error instanceof UnreadableAnswerError ||
    error instanceof InvalidAmountError
  );
}

function withoutIds(field: string): string {
  return field.replace(/ .*/, '');
}
