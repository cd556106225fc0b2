import { sql, type Transaction } from 'kysely';
import { bookPayoutReturns, bookPayouts } from '../books/payout-movements.js';
import { carryOut } from '../clock/carry-out.js';
import type { Found } from '../clock/recurring-task.js';
import { dayLengthOf, type SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { PayoutBatchRow, PayoutItemRow, Tables } from '../database/tables.js';
import type { ApplicationSettings } from '../settings/application-settings.js';
import { comesBack } from './item-changes.js';
import { isPayable, payItem, type PayingTerms, type Payment } from './item-outcome.js';
import { recordBatchEvent, recordItemEvents, type ItemEvent } from './payout-events.js';

/** Limits a transaction, its events and the statement that writes them. */
const ITEMS_AT_ONCE = 500;

/** One transaction of the clock or of a synchronous call. */
type Step = Pick<UnitOfWork, 'transaction' | 'now'>;

/** Processes the batches whose time has come, a limited step each. */
export function processPayouts(context: SandboxContext): Promise<Found> {
  const dueAt = (instant: Date) =>
    context.database
      .selectFrom('payout_batches')
      .select(['id', 'client_id', 'status', 'due_at'])
      .where('due_at', '<=', instant);
  return carryOut(context, dueAt, async ({ id, client_id, status }) => {
    const { settings } = await context.applications.get(client_id);
    if (status === 'PENDING') await beginWhenDue(context, id, settings);
    else await payWhenDue(context, id, settings);
  });
}

/** The batch is processed from now on: all its money leaves the sender at once, unless the balance is too small. */
export async function beginBatch(
  context: SandboxContext,
  { transaction, now }: Step,
  batch: PayoutBatchRow,
  settings: ApplicationSettings,
): Promise<PayoutBatchRow> {
  const begun = await transaction
    .updateTable('payout_batches')
    .set({
      status: 'PROCESSING',
      due_at: new Date(now.getTime() + settings.payoutProcessingMs),
      updated_at: now,
    })
    .where('id', '=', batch.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const booking = { transaction, now, requestId: batch.request_id };
  if (batch.outcome !== 'unfunded') await bookPayouts(booking, batch);
  await recordBatchEvent(transaction, 'PAYMENT.PAYOUTSBATCH.PROCESSING', begun, context.links, now);
  return begun;
}

/** Decides about the next items of a batch; after its last ones, the batch has ended. */
export async function payItems(
  context: SandboxContext,
  { transaction, now }: Step,
  batch: PayoutBatchRow,
  settings: ApplicationSettings,
): Promise<void> {
  const items = await transaction
    .selectFrom('payout_items')
    .selectAll()
    .where('batch_id', '=', batch.id)
    .where('processed_at', 'is', null)
    .orderBy('position')
    .limit(ITEMS_AT_ONCE)
    .execute();
  const terms = termsOf(context, batch, settings);
  const payments = new Map<string, Payment>();
  for (const item of items) {
    const fault = isPayable(item, terms)
      ? await context.faults.useInside(transaction, 'payout-item.pay', batch.client_id)
      : null;
    payments.set(item.id, payItem(item, terms, fault));
  }
  const paid = await savePayments(transaction, payments, now);
  const booking = { transaction, now, requestId: batch.request_id };
  const lost = paid.filter(({ status }) => comesBack(status)).map(({ id }) => id);
  await bookPayoutReturns(booking, lost);
  await recordItemEvents(transaction, eventsOf(paid, payments), batch.sender_batch_id, context.links, now);
  if (items.length < ITEMS_AT_ONCE) await endBatch(context, { transaction, now }, batch);
}

function beginWhenDue(context: SandboxContext, batchId: string, settings: ApplicationSettings) {
  return context.database.transaction().execute(async (transaction) => {
    const batch = await lockDue(transaction, batchId, 'PENDING');
    if (batch !== undefined) await beginBatch(context, { transaction, now: new Date() }, batch, settings);
  });
}

async function payWhenDue(
  context: SandboxContext,
  batchId: string,
  settings: ApplicationSettings,
): Promise<void> {
  await context.database.transaction().execute(async (transaction) => {
    const batch = await lockDue(transaction, batchId, 'PROCESSING');
    if (batch !== undefined) await payItems(context, { transaction, now: new Date() }, batch, settings);
  });
}

/** Only the state that is read under its lock counts. */
function lockDue(transaction: Transaction<Tables>, batchId: string, status: PayoutBatchRow['status']) {
  return transaction
    .selectFrom('payout_batches')
    .selectAll()
    .where('id', '=', batchId)
    .where('status', '=', status)
    .where('due_at', '<=', new Date())
    .forUpdate()
    .executeTakeFirst();
}

function termsOf(context: SandboxContext, batch: PayoutBatchRow, settings: ApplicationSettings): PayingTerms {
  return {
    batchOutcome: batch.outcome,
    rules: settings.payoutRules,
    unknownReceivers: settings.payoutUnknownReceivers,
    settleMs: settings.payoutSettleMs,
    dayLengthMs: dayLengthOf(settings, context.defaults),
  };
}

/** All in one statement; returns the changed rows, in the order of their positions. */
async function savePayments(
  transaction: Transaction<Tables>,
  payments: ReadonlyMap<string, Payment>,
  now: Date,
): Promise<PayoutItemRow[]> {
  const rows = [...payments].map(([id, { status, error, settlesAs, dueInMs }]) => ({
    id,
    status,
    error_name: error,
    settles_as: settlesAs,
    due_at: dueInMs === null ? null : new Date(now.getTime() + dueInMs),
  }));
  const { rows: saved } = await sql<PayoutItemRow>`
    UPDATE payout_items SET status = decided.status, error_name = decided.error_name,
      settles_as = decided.settles_as, due_at = decided.due_at, processed_at = ${now}::timestamptz,
      updated_at = ${now}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS decided (id text, status text, error_name text,
      settles_as text, due_at timestamptz)
    WHERE payout_items.id = decided.id
    RETURNING payout_items.*`.execute(transaction);
  return saved.toSorted((left, right) => left.position - right.position);
}

function eventsOf(items: readonly PayoutItemRow[], payments: ReadonlyMap<string, Payment>): ItemEvent[] {
  return items.flatMap((item) => {
    const type = payments.get(item.id)?.event ?? null;
    return type === null ? [] : [{ type, item }];
  });
}

async function endBatch(context: SandboxContext, { transaction, now }: Step, batch: PayoutBatchRow) {
  const status = batch.outcome === 'success' ? 'SUCCESS' : 'DENIED';
  const ended = await transaction
    .updateTable('payout_batches')
    .set({ status, due_at: null, completed_at: now, updated_at: now })
    .where('id', '=', batch.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await recordBatchEvent(transaction, `PAYMENT.PAYOUTSBATCH.${status}`, ended, context.links, now);
}
