import { describeAuthorization, nextStepsOf } from '../authorizations/authorization-representation.js';
import { describeCapture } from '../captures/capture-representation.js';
import type { AuthorizationRow, CaptureRow, PaymentRow, SaleRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { SANDBOX_PAYER } from '../payer-pages/sandbox-payer.js';
import { describeSale, nextStepsOfSale } from '../sales/sale-representation.js';
import { describeAmount } from './payment-amount.js';

export interface RelatedRows {
  readonly authorizations: readonly AuthorizationRow[];
  readonly captures: readonly CaptureRow[];
  readonly sales: readonly SaleRow[];
}

export const NOTHING_RELATED: RelatedRows = { authorizations: [], captures: [], sales: [] };

/** A payment as answered (interface, section 2.2; the silent parts as the public API has them). */
export function describePayment(payment: PaymentRow, related: RelatedRows, links: Links): object {
  const hasPayerApproved = payment.payer_approved_at !== null;
  return {
    id: payment.id,
    intent: payment.intent,
    state: payment.state,
    ...(payment.state === 'failed' && { failure_reason: 'UNABLE_TO_COMPLETE_TRANSACTION' }),
    payer: {
      payment_method: payment.payment_method,
      ...(hasPayerApproved && { status: 'VERIFIED', payer_info: SANDBOX_PAYER }),
    },
    transactions: [describeTransaction(payment, related, links)],
    ...payment.echoed.payment,
    ...(payment.return_url !== null && {
      redirect_urls: { return_url: payment.return_url, cancel_url: payment.cancel_url },
    }),
    create_time: payment.created_at.toISOString(),
    update_time: payment.updated_at.toISOString(),
    links: linksOf(payment, links),
  };
}

function describeTransaction(payment: PaymentRow, related: RelatedRows, links: Links): object {
  const { description, invoice_number, custom } = payment;
  return {
    amount: describeAmount(payment),
    payee: {
      merchant_id: payment.payee_id,
      ...(payment.payee_email !== null && { email: payment.payee_email }),
    },
    ...(description !== null && { description }),
    ...(invoice_number !== null && { invoice_number }),
    ...(custom !== null && { custom }),
    ...payment.echoed.transaction,
    related_resources: [
      ...related.sales.map((sale) => ({ sale: describeSale(sale, links) })),
      ...related.authorizations.map((one) => ({ authorization: describeAuthorization(one, payment, links) })),
      ...related.captures.map((capture) => ({ capture: describeCapture(capture, links) })),
    ],
    links: nextSteps(related, links),
  };
}

/** Section 2.2: the next-step links of a transaction are those of what its money has become. */
function nextSteps(related: RelatedRows, links: Links): Link[] {
  return [
    ...related.authorizations.flatMap((authorization) => nextStepsOf(authorization, links)),
    ...related.sales.flatMap((sale) => nextStepsOfSale(sale, links)),
  ];
}

function linksOf(payment: PaymentRow, links: Links): Link[] {
  const self = links.paymentSelf(payment.id);
  if (payment.state !== 'created') return [self];
  return [self, links.approval(payment.approval_token), links.execute(payment.id)];
}
