import { decideAuthorizationOutcome } from '../authorizations/authorization-outcome.js';
import { createAuthorization } from '../authorizations/create-authorization.js';
import type { PaymentRow, SaleRow } from '../database/tables.js';
import type { UnitOfWork } from '../database/unit-of-work.js';
import { createSale } from '../sales/create-sale.js';
import type { Completion } from '../clock/settlement.js';
import { decideSaleOutcome } from '../sales/sale-outcome.js';
import type { SandboxContext } from '../sandbox-context.js';
import { describePayment, NOTHING_RELATED } from './payment-representation.js';

/**
 * Makes an approved payment of one that its payer has agreed to: funds are held (authorize) or moved (sale), or will be,
 * booked and told, all in the unit's transaction. The caller holds the payment's row. Answers the payment's representation.
 */
export async function completePayment(
  context: SandboxContext,
  unit: UnitOfWork,
  created: PaymentRow,
): Promise<object> {
  const { settings } = unit.application;
  const hold = decideAuthorizationOutcome(settings, unit.outcome, unit.now);
  const collection = decideSaleOutcome(settings, unit.outcome, unit.now);
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
