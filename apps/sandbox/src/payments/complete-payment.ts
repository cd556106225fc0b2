import { decideAuthorizationOutcome } from '../authorizations/authorization-outcome.js';
import { createAuthorization } from '../authorizations/create-authorization.js';
import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { PaymentRow, SaleRow } from '../database/tables.js';
import { createSale } from '../sales/create-sale.js';
import { decideSaleOutcome } from '../sales/sale-outcome.js';
import type { Completion } from '../completion/completion.js';
import { describePayment, NOTHING_RELATED } from './payment-representation.js';

/**
 * Completes the approval of a payment: funds are held (authorize) or moved (sale), or will be, with movements and
 * events, all in the unit's transaction. The caller holds the lock of the payment's row. Returns the payment's
 * representation.
 */
export async function completePayment(
  context: SandboxContext,
  unit: UnitOfWork,
  created: PaymentRow,
): Promise<object> {
  const { settings } = unit.application;
  const hold = decideAuthorizationOutcome(settings, unit.fault, unit.now);
  const collection = decideSaleOutcome(settings, unit.fault, unit.now);
  const isWaiting = (created.intent === 'authorize' ? hold : collection).state === 'pending';
  const payment = await unit.transaction
    .updateTable('payments')
    .set({ state: isWaiting ? settings.pendingPaymentState : 'approved', updated_at: unit.now })
    .where('id', '=', created.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const related =
    payment.intent === 'authorize'
      ? { ...NOTHING_RELATED, authorizations: [await createAuthorization(context, unit, payment, hold)] }
      : { ...NOTHING_RELATED, sales: [await sell(context, unit, payment, collection)] };
  return describePayment(payment, related, context.links, unit.now);
}

function sell(
  context: SandboxContext,
  unit: UnitOfWork,
  payment: PaymentRow,
  outcome: Completion,
): Promise<SaleRow> {
  const sale = {
    clientId: payment.client_id,
    belongsTo: { paymentId: payment.id },
    amountMinor: payment.amount_minor,
    currency: payment.currency,
    amountDetails: payment.amount_details,
    payerId: payment.payer_id,
    payeeId: payment.payee_id,
    invoiceNumber: payment.invoice_number,
    custom: payment.custom,
    outcome,
  };
  return createSale(unit, sale, context.links);
}
