import type { NewPaymentRow } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Answer, UnitOfWork } from '../http/idempotency.js';
import { accountIdOf, newApprovalToken, newPaymentId } from '../http/identifiers.js';
import { SANDBOX_PAYER } from '../payer-pages/sandbox-payer.js';
import type { SandboxContext } from '../sandbox-context.js';
import { decideApproval } from './approval-decision.js';
import { completePayment } from './complete-payment.js';
import type { PaymentRequest } from './payment-request.js';
import { describePayment, NOTHING_RELATED } from './payment-representation.js';

/**
 * Creates a payment: it waits for its payer, or is approved at once and then holds or moves the money here
 * (interface, section 3).
 */
export async function createPayment(
  context: SandboxContext,
  unit: UnitOfWork,
  request: PaymentRequest,
): Promise<Answer> {
  const { settings } = unit.application;
  const [transaction] = request.transactions;
  const { minor, currency } = transaction.amount;
  const payeeEmail = transaction.payee?.email ?? null;
  const approval = decideApproval(
    { minor, currency, payeeEmail },
    settings.approvalRules,
    settings.approval ?? context.defaults.approval,
  );
  if (approval === 'payer' && request.redirect_urls === undefined) {
    throw ApiError.invalid('redirect_urls', 'Required for a payment that its payer approves');
  }
  const payment = await unit.transaction
    .insertInto('payments')
    .values({
      ...newPayment(unit, request),
      approval,
      ...(approval === 'immediate' && approvedNow(unit.now)),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (approval === 'payer')
    return { status: 201, body: describePayment(payment, NOTHING_RELATED, context.links) };
  return { status: 201, body: await completePayment(context, unit, payment) };
}

function approvedNow(now: Date) {
  return { payer_id: SANDBOX_PAYER.payer_id, payer_approved_at: now };
}

function newPayment(unit: UnitOfWork, request: PaymentRequest): Omit<NewPaymentRow, 'approval'> {
  const { now, application } = unit;
  const [{ amount, payee, description, invoice_number, custom, ...echoedOfTransaction }] =
    request.transactions;
  const { note_to_payer, experience_profile_id } = request;
  return {
    id: newPaymentId(),
    client_id: application.clientId,
    intent: request.intent,
    state: 'created',
    approval_token: newApprovalToken(),
    payment_method: request.payer.payment_method,
    amount_minor: amount.minor,
    currency: amount.currency,
    amount_details: JSON.stringify(amount.details),
    payee_id: payee === undefined ? application.accountId : accountIdOf(payee.email),
    payee_email: payee?.email ?? null,
    description: description ?? null,
    invoice_number: invoice_number ?? null,
    custom: custom ?? null,
    echoed: JSON.stringify({
      payment: { note_to_payer, experience_profile_id },
      transaction: echoedOfTransaction,
    }),
    return_url: request.redirect_urls?.return_url ?? null,
    cancel_url: request.redirect_urls?.cancel_url ?? null,
    expires_at: new Date(now.getTime() + application.settings.approvalWindowMs),
    created_at: now,
    updated_at: now,
  };
}
