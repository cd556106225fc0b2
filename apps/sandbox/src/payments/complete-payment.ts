import { describeAuthorization } from '../authorizations/authorization-representation.js';
import { bookHold } from '../books/payment-movements.js';
import { captureDeadline } from '../clock/instants.js';
import type { AuthorizationRow, PaymentRow, SaleRow } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { UnitOfWork } from '../http/idempotency.js';
import { newResourceId } from '../http/identifiers.js';
import { createSale } from '../sales/create-sale.js';
import { decideSaleOutcome } from '../sales/sale-outcome.js';
import { dayLengthOf, type SandboxContext } from '../sandbox-context.js';
import { describePayment, NOTHING_RELATED } from './payment-representation.js';

/**
 * Makes an approved payment of one that its payer has agreed to: funds are held (authorize) or moved (sale), booked and
 * told, all in the unit's transaction. The caller holds the payment's row. Answers the payment's representation.
 */
export async function completePayment(
  context: SandboxContext,
  unit: UnitOfWork,
  created: PaymentRow,
): Promise<object> {
  const payment = await unit.transaction
    .updateTable('payments')
    .set({ state: 'approved', updated_at: unit.now })
    .where('id', '=', created.id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const related =
    payment.intent === 'authorize'
      ? { ...NOTHING_RELATED, authorizations: [await authorize(context, unit, payment)] }
      : { ...NOTHING_RELATED, sales: [await sell(context, unit, payment)] };
  return describePayment(payment, related, context.links);
}

async function authorize(
  context: SandboxContext,
  unit: UnitOfWork,
  payment: PaymentRow,
): Promise<AuthorizationRow> {
  const dayLengthMs = dayLengthOf(unit.application.settings, context.defaults);
  const authorization = await unit.transaction
    .insertInto('authorizations')
    .values({
      id: newResourceId(),
      client_id: payment.client_id,
      payment_id: payment.id,
      state: 'authorized',
      amount_minor: payment.amount_minor,
      currency: payment.currency,
      captured_minor: 0,
      pending_minor: 0,
      released_minor: 0,
      closing: false,
      valid_until: captureDeadline(unit.now, dayLengthMs),
      created_at: unit.now,
      updated_at: unit.now,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await bookHold(unit, payment, authorization);
  await recordEvent(unit.transaction, {
    type: 'PAYMENT.AUTHORIZATION.CREATED',
    clientId: payment.client_id,
    resourceId: authorization.id,
    resource: describeAuthorization(authorization, payment, context.links),
    now: unit.now,
  });
  return authorization;
}

function sell(context: SandboxContext, unit: UnitOfWork, payment: PaymentRow): Promise<SaleRow> {
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
    outcome: decideSaleOutcome(unit.application.settings, unit.outcome, unit.now),
  };
  return createSale(unit, sale, context.links);
}
