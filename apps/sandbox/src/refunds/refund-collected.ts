import { bookRefund, type Collected } from '../books/refund-movements.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { RefundRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { newResourceId } from '../http/identifiers.js';
import type { Answer } from '../server/idempotency.js';
import { lockCollected, saveReturnable, type CollectedReference } from './collected-rows.js';
import { decideRefundOutcome, type RefundOutcome } from './refund-outcome.js';
import { describeRefund } from './refund-representation.js';
import type { RefundRequest } from './refund-request.js';
import { refund } from './refundable-money.js';
import { recordRefundEvent } from './refund-events.js';

/**
 * Refunds part or all of what is left of a sale or a capture.
 * @throws ApiError INVALID_RESOURCE_ID; CURRENCY_MISMATCH; TRANSACTION_REFUSED for one that is pending or denied, and
 * when a fault declines; TRANSACTION_ALREADY_REFUNDED; REFUND_EXCEEDED_TRANSACTION_AMOUNT.
 */
export async function refundCollected(
  context: SandboxContext,
  unit: UnitOfWork,
  reference: CollectedReference,
  request: RefundRequest,
): Promise<Answer> {
  const { transaction, now, application } = unit;
  const locked = await lockCollected(transaction, reference, application.clientId);
  if (locked === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  requireSameCurrency(locked, request.amount);
  if (unit.fault?.kind === 'decline') throw new ApiError('TRANSACTION_REFUSED');

  const outcome = decideRefundOutcome(application.settings, unit.fault, now);
  const change = refund(locked.row, request.amount?.minor ?? null, outcome.state === 'pending');
  if ('refusal' in change) throw new ApiError(change.refusal);

  const collected = await saveReturnable(transaction, locked, change.returnable, now);
  const made = await insertRefund(unit, collected, change.minor, request, outcome);
  if (made.state === 'completed') {
    await bookRefund(unit, made, collected);
    await recordRefundEvent(transaction, made, context.links, now);
  }
  return { status: 201, body: describeRefund(made, context.links) };
}

/** @throws ApiError CURRENCY_MISMATCH. */
export function requireSameCurrency(
  { kind, row }: Collected,
  amount: { currency: string } | undefined,
): void {
  if (amount === undefined || amount.currency === row.currency) return;
  const issue = `Must be the currency of the ${kind}`;
  throw new ApiError('CURRENCY_MISMATCH', [{ field: 'amount.currency', issue }]);
}

function insertRefund(
  unit: UnitOfWork,
  { kind, row }: Collected,
  minor: number,
  request: RefundRequest,
  outcome: RefundOutcome,
): Promise<RefundRow> {
  return unit.transaction
    .insertInto('refunds')
    .values({
      id: newResourceId(),
      client_id: row.client_id,
      payment_id: row.payment_id,
      sale_id: kind === 'sale' ? row.id : null,
      capture_id: kind === 'capture' ? row.id : null,
      amount_minor: minor,
      currency: row.currency,
      total_refunded_minor: row.refunded_minor + row.refund_pending_minor,
      description: request.description ?? null,
      reason: request.reason ?? null,
      invoice_number: request.invoice_number ?? null,
      custom: request.custom ?? null,
      request_id: unit.requestId,
      ...outcome,
      created_at: unit.now,
      updated_at: unit.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}
