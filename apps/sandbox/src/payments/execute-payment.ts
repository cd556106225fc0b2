import type { z } from 'zod';
import { isFundingDeclined } from '../accounts/funding.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { PaymentRow } from '../database/tables.js';
import { ApiError, type ErrorName } from '../http/api-error.js';
import type { Answer } from '../server/idempotency.js';
import { lockOwnRow } from '../server/own-row.js';
import { completePayment } from './complete-payment.js';
import type { executeRequest } from './payment-request.js';

/**
 * Executes a payment that its payer has approved.
 * The row lock makes simultaneous executions of one payment run one by one: the second finds it approved.
 */
export async function executePayment(
  context: SandboxContext,
  unit: UnitOfWork,
  paymentId: string,
  request: z.output<typeof executeRequest>,
): Promise<Answer> {
  const payment = await lockOwnRow(unit.transaction, 'payments', unit.application.clientId, paymentId);
  const refusal = refusalToExecute(payment, request.payer_id, unit.now);
  if (refusal !== undefined) throw new ApiError(refusal);
  const amount = request.transactions?.[0].amount;
  if (
    amount !== undefined &&
    (amount.minor !== payment.amount_minor || amount.currency !== payment.currency)
  ) {
    throw ApiError.invalid('transactions[0].amount', 'Differs from the amount that the payer approved');
  }
  if (await isFundingDeclined(unit.transaction, payment.payer_id, unit.fault)) {
    throw new ApiError('INSTRUMENT_DECLINED');
  }
  return { status: 200, body: await completePayment(context, unit, payment) };
}

function refusalToExecute(payment: PaymentRow, payerId: string, now: Date): ErrorName | undefined {
  if (payment.state === 'approved' || payment.state === 'in_progress') return 'PAYMENT_STATE_INVALID';
  if (payment.state === 'failed' || payment.expires_at <= now) return 'PAYMENT_EXPIRED';
  if (payment.payer_approved_at === null) return 'PAYMENT_NOT_APPROVED_FOR_EXECUTION';
  if (payment.payer_id !== payerId) return 'INVALID_PAYER_ID';
  return undefined;
}
