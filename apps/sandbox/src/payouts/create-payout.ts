import { sql } from 'kysely';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { PayoutBatchRow } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';
import { ApiError } from '../http/api-error.js';
import { newAccountId, newResourceId } from '../http/identifiers.js';
import type { Answer } from '../server/idempotency.js';
import { getPayout } from './find-payouts.js';
import { batchLink, describeAcceptedBatch } from './payout-representation.js';
import { payoutGetQuery, type PayoutRequest, type RequestedItem } from './payout-request.js';
import { beginBatch, payItems } from './process-payouts.js';
import { receiverIdOf } from './receivers.js';

/** How long a `sender_batch_id` is refused again: real days, so that a repeat is recognized with short days, too. */
const SENDER_BATCH_ID_LIFETIME_MS = 30 * 86_400_000;

/**
 * Accepts a batch; the clock pays it. With `isSynchronous`, its one item is paid at once, unless a fault keeps the
 * batch pending for a while.
 * @throws ApiError USER_BUSINESS_ERROR, with a link to the first batch, when its `sender_batch_id` was used in 30 days.
 */
export async function createPayout(
  context: SandboxContext,
  unit: UnitOfWork,
  request: PayoutRequest,
  isSynchronous: boolean,
): Promise<Answer> {
  await refuseUsedBatchId(context, unit, request.header.sender_batch_id);
  const batch = await insertBatch(unit, request);
  await insertItems(context, unit, batch, request.items);
  const isPaidNow = isSynchronous && unit.fault?.kind !== 'pending';
  if (!isPaidNow) return { status: 201, body: describeAcceptedBatch(batch, context.links) };

  const { transaction, now, application } = unit;
  const begun = await beginBatch(context, { transaction, now }, batch, application.settings);
  await payItems(context, { transaction, now }, begun, application.settings);
  const query = payoutGetQuery.parse({});
  return { status: 201, body: await getPayout(transaction, context.links, batch.client_id, batch.id, query) };
}

/** Calls with one `sender_batch_id` run one after the other: otherwise two could both be the first. */
async function refuseUsedBatchId(
  { links }: SandboxContext,
  { transaction, now, application }: UnitOfWork,
  senderBatchId: string | undefined,
): Promise<void> {
  if (senderBatchId === undefined || senderBatchId === '') return;
  const key = `payout\n${application.clientId}\n${senderBatchId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
  const first = await transaction
    .selectFrom('payout_batches')
    .select('id')
    .where('client_id', '=', application.clientId)
    .where('sender_batch_id', '=', senderBatchId)
    .where('created_at', '>', new Date(now.getTime() - SENDER_BATCH_ID_LIFETIME_MS))
    .executeTakeFirst();
  if (first === undefined) return;
  const detail = { field: 'SENDER_BATCH_ID', value: senderBatchId, issue: 'Duplicate batch request' };
  throw new ApiError('USER_BUSINESS_ERROR', [detail], undefined, [batchLink(links, first.id, 'self')]);
}

function insertBatch(unit: UnitOfWork, { header, items, total }: PayoutRequest): Promise<PayoutBatchRow> {
  const { now, application, fault } = unit;
  const { payoutOutcome, payoutPendingMs } = application.settings;
  const pendingMs = fault?.kind === 'pending' ? fault.afterMs : payoutPendingMs;
  return unit.transaction
    .insertInto('payout_batches')
    .values({
      id: newAccountId(),
      client_id: application.clientId,
      sender_id: application.accountId,
      sender_batch_id: header.sender_batch_id === '' ? null : (header.sender_batch_id ?? null),
      sender_batch_header: JSON.stringify(header),
      status: 'PENDING',
      outcome: outcomeOf(fault) ?? payoutOutcome,
      item_count: items.length,
      amount_minor: total.minor,
      currency: total.currency,
      request_id: unit.requestId,
      due_at: new Date(now.getTime() + pendingMs),
      created_at: now,
      updated_at: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

function outcomeOf(fault: OutcomeFault | null): PayoutBatchRow['outcome'] | null {
  if (fault === null) return null;
  if (fault.kind === 'decline') return 'unfunded';
  return fault.settlesAs === 'completed' ? 'success' : 'denied';
}

/** One statement and one parameter, however many items. */
async function insertItems(
  { accounts }: SandboxContext,
  { transaction, now, application }: UnitOfWork,
  batch: PayoutBatchRow,
  items: readonly RequestedItem[],
): Promise<void> {
  const seen = application.settings.payoutDuplicateItems === 'fail' ? new Set<string>() : null;
  const rows = items.map((item, position) => {
    const { recipient_type, receiver, amount, note, sender_item_id, recipient_wallet, purpose } = item;
    const receiver_id = receiverIdOf(accounts, application.environment, item);
    return {
      id: newAccountId(),
      position,
      transaction_id: newResourceId(),
      recipient_type,
      receiver,
      receiver_id,
      amount_minor: amount.minor,
      sender_item_id,
      note,
      echoed: { recipient_wallet, purpose },
      refused_as: refusalOf(receiver_id === batch.sender_id, sender_item_id, seen),
    };
  });
  await sql`
    INSERT INTO payout_items (id, client_id, batch_id, position, transaction_id, recipient_type, receiver, receiver_id,
      amount_minor, currency, sender_item_id, note, echoed, refused_as, created_at, updated_at)
    SELECT item.id, ${batch.client_id}, ${batch.id}, position, transaction_id, recipient_type, receiver, receiver_id,
      amount_minor, ${batch.currency}, sender_item_id, note, echoed, refused_as, ${now}::timestamptz, ${now}::timestamptz
    FROM json_to_recordset(${JSON.stringify(rows)}::json) AS item (id text, position integer, transaction_id text,
      recipient_type text, receiver text, receiver_id text, amount_minor bigint, sender_item_id text, note text,
      echoed json, refused_as text)`.execute(transaction);
}

/** Adds the item to those seen. */
function refusalOf(isOwnAccount: boolean, senderItemId: string | undefined, seen: Set<string> | null) {
  if (isOwnAccount) return 'SELF_PAY_NOT_ALLOWED';
  if (seen === null || senderItemId === undefined || senderItemId === '') return null;
  if (seen.has(senderItemId)) return 'DUPLICATE_ITEM';
  seen.add(senderItemId);
  return null;
}
