import { z } from 'zod';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { PaymentRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import { checked } from '../http/validation.js';
import { describeAmount } from '../money/payment-amount.js';
import type { Answer } from '../server/idempotency.js';
import { lockOwnRow } from '../server/own-row.js';
import { applyPatch, type PaymentPatch } from './payment-patch.js';
import { describePayment, NOTHING_RELATED } from './payment-representation.js';
import { payerInfoSchema } from './payment-request.js';
import { columnsOf, transactionSchema } from './transaction-schema.js';

/** What a patch may change, as the request gave it; the result must still be an acceptable request. */
const patchedPayment = z.strictObject({
  payer: z.strictObject({ payer_info: payerInfoSchema.optional() }),
  transactions: z.tuple([transactionSchema]),
});

/**
 * Changes a payment that is not executed yet: amount, references, items, shipping address, payer data. The row lock
 * makes an update and an execution run one after the other.
 * @throws ApiError PAYMENT_STATE_INVALID once it is executed; PAYMENT_EXPIRED; VALIDATION_ERROR naming the path that
 * cannot be changed, or the field of the changed payment that is wrong.
 */
export async function updatePayment(
  context: SandboxContext,
  unit: UnitOfWork,
  paymentId: string,
  patch: PaymentPatch,
): Promise<Answer> {
  const { transaction, now, application } = unit;
  const payment = await lockOwnRow(transaction, 'payments', application.clientId, paymentId);
  if (payment.state === 'failed' || (payment.state === 'created' && payment.expires_at <= now)) {
    throw new ApiError('PAYMENT_EXPIRED');
  }
  if (payment.state !== 'created') throw new ApiError('PAYMENT_STATE_INVALID');

  const patched = checked(patchedPayment, applyPatch(patchableOf(payment), patch));
  const { echoed, ...columns } = columnsOf(patched.transactions[0]);
  const updated = await transaction
    .updateTable('payments')
    .set({
      ...columns,
      echoed: JSON.stringify({
        ...payment.echoed,
        payer: { ...payment.echoed.payer, payer_info: patched.payer.payer_info },
        transaction: echoed,
      }),
      updated_at: now,
    })
    .where('id', '=', payment.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  return { status: 200, body: describePayment(updated, NOTHING_RELATED, context.links, now) };
}

/** The request's own form: an amount has details only if the request gave some. */
function patchableOf(payment: PaymentRow) {
  const { description, invoice_number, custom, echoed } = payment;
  const { details, ...total } = describeAmount(payment);
  const hasDetails = Object.keys(payment.amount_details).length > 0;
  return {
    payer: { ...(echoed.payer?.payer_info && { payer_info: echoed.payer.payer_info }) },
    transactions: [
      {
        amount: { ...total, ...(hasDetails && { details }) },
        ...(description !== null && { description }),
        ...(invoice_number !== null && { invoice_number }),
        ...(custom !== null && { custom }),
        ...echoed.transaction,
      },
    ],
  };
}
