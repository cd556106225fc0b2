import type { SandboxContext } from '../context/sandbox-context.js';
import type { UnitOfWork } from '../context/unit-of-work.js';
import type { NewPaymentRow, PaymentRow } from '../database/tables.js';
import type { OutcomeFault } from '../faults/fault-kinds.js';
import { ApiError } from '../http/api-error.js';
import { newAccountId, newApprovalToken, newPaymentId } from '../http/identifiers.js';
import type { Answer } from '../server/idempotency.js';
import { approvedBy, decideApproval } from './approval-decision.js';
import { completePayment } from './complete-payment.js';
import { refuseCard } from './direct-card.js';
import { findPayee, type Payee } from './payee.js';
import { describePayment, NOTHING_RELATED } from './payment-representation.js';
import type { PaymentRequest } from './payment-request.js';
import { columnsOf } from './transaction-schema.js';

/**
 * Creates a payment: it waits for its payer, or is approved at once and then holds or moves the money here
 * (interface, section 3). A direct card is always approved at once: its holder has no page to approve on.
 * @param faultWhenApproved asks for the outcome that a fault wants, once it is certain that there is one here.
 */
export async function createPayment(
  context: SandboxContext,
  unit: UnitOfWork,
  request: PaymentRequest,
  faultWhenApproved: () => Promise<OutcomeFault | null>,
): Promise<Answer> {
  if (unit.fault?.kind === 'decline') throw new ApiError('INSTRUMENT_DECLINED');
  const { settings, environment } = unit.application;
  const payee = await findPayee(context, unit, request.transactions[0].payee);
  const card = request.payer.funding_instruments?.[0].credit_card;
  if (card !== undefined) await refuseCard(unit, card);

  const approval = card === undefined ? approvalOf(context, unit, request, payee) : 'immediate';
  if (approval === 'payer' && request.redirect_urls === undefined) {
    throw ApiError.invalid('redirect_urls', 'Required for a payment that its payer approves');
  }
  const payer = context.accounts.defaultPayer(environment);
  const isDefaultPaying = approval === 'immediate' && card === undefined;
  if (isDefaultPaying && payer.funding_declines) throw new ApiError('INSTRUMENT_DECLINED');

  const payment = await insertPayment(unit, {
    ...newPayment(unit, request, payee, settings.approvalWindowMs),
    approval,
    ...(card !== undefined && { payer_id: newAccountId(), payer_approved_at: unit.now }),
    ...(isDefaultPaying && approvedBy(payer, unit.now)),
  });
  if (approval === 'payer') {
    return { status: 201, body: describePayment(payment, NOTHING_RELATED, context.links, unit.now) };
  }
  const fault = await faultWhenApproved();
  return { status: 201, body: await completePayment(context, { ...unit, fault }, payment) };
}

function approvalOf(
  context: SandboxContext,
  { application: { settings } }: UnitOfWork,
  request: PaymentRequest,
  payee: Payee,
): 'payer' | 'immediate' {
  const { minor, currency } = request.transactions[0].amount;
  const approvable = { minor, currency, payeeEmail: payee.email };
  return decideApproval(approvable, settings.approvalRules, settings.approval ?? context.defaults.approval);
}

function insertPayment(unit: UnitOfWork, payment: NewPaymentRow): Promise<PaymentRow> {
  return unit.transaction.insertInto('payments').values(payment).returningAll().executeTakeFirstOrThrow();
}

function newPayment(
  { now, application }: UnitOfWork,
  request: PaymentRequest,
  payee: Payee,
  approvalWindowMs: number,
): Omit<NewPaymentRow, 'approval'> {
  const { echoed, ...columns } = columnsOf(request.transactions[0]);
  const { intent, payer, transactions: _, redirect_urls, ...echoedOfPayment } = request;
  const { payment_method, funding_instruments, ...echoedOfPayer } = payer;
  const cards = funding_instruments?.map(({ credit_card }) => ({ credit_card: credit_card.masked }));
  return {
    id: newPaymentId(),
    client_id: application.clientId,
    intent,
    state: 'created',
    approval_token: newApprovalToken(),
    payment_method,
    ...columns,
    payee_id: payee.id,
    payee_email: payee.email,
    echoed: JSON.stringify({
      payment: echoedOfPayment,
      payer: { ...echoedOfPayer, funding_instruments: cards },
      transaction: echoed,
    }),
    return_url: redirect_urls?.return_url ?? null,
    cancel_url: redirect_urls?.cancel_url ?? null,
    expires_at: new Date(now.getTime() + approvalWindowMs),
    created_at: now,
    updated_at: now,
  };
}
