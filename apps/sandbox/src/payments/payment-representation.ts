import { describeAuthorization, nextStepsOf } from '../authorizations/authorization-representation.js';
import { describeCapture } from '../captures/capture-representation.js';
import type { AuthorizationRow, CaptureRow, PaymentRow, RefundRow, SaleRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { describeAmount } from '../money/payment-amount.js';
import { describeRefund } from '../refunds/refund-representation.js';
import { describeSale, nextStepsOfSale } from '../sales/sale-representation.js';

export interface RelatedRows {
  readonly authorizations: readonly AuthorizationRow[];
  readonly captures: readonly CaptureRow[];
  readonly sales: readonly SaleRow[];
  readonly refunds: readonly RefundRow[];
}

export const NOTHING_RELATED: RelatedRows = { authorizations: [], captures: [], sales: [], refunds: [] };

/** A payment as answered (interface, section 2.2; undocumented parts as in the public API). */
export function describePayment(payment: PaymentRow, related: RelatedRows, links: Links, now: Date): object {
  return {
    id: payment.id,
    intent: payment.intent,
    state: payment.state,
    ...(payment.state === 'failed' && { failure_reason: failureReasonOf(related) }),
    payer: describePayer(payment),
    transactions: [describeTransaction(payment, related, links, now)],
    ...payment.echoed.payment,
    ...(payment.return_url !== null && {
      redirect_urls: { return_url: payment.return_url, cancel_url: payment.cancel_url },
    }),
    create_time: payment.created_at.toISOString(),
    update_time: payment.updated_at.toISOString(),
    links: linksOf(payment, links),
  };
}

/** The payer: before the approval as in the request, after it the account that pays. */
function describePayer(payment: PaymentRow): object {
  const { payment_method, payer_info, echoed } = payment;
  if (payer_info === null) return { payment_method, ...echoed.payer };
  const { shipping_address } = (echoed.transaction['item_list'] ?? {}) as { shipping_address?: object };
  return {
    payment_method,
    status: 'VERIFIED',
    ...echoed.payer,
    payer_info: {
      ...echoed.payer?.payer_info,
      ...payer_info,
      ...(shipping_address !== undefined && { shipping_address }),
    },
  };
}

/** Its authorization or sale was denied, or it was not approved or executed in time. */
function failureReasonOf({ authorizations, sales }: RelatedRows): string {
  const isDenied = [...authorizations, ...sales].some(({ state }) => state === 'denied');
  return isDenied ? 'PAYER_CANNOT_PAY' : 'UNABLE_TO_COMPLETE_TRANSACTION';
}

function describeTransaction(payment: PaymentRow, related: RelatedRows, links: Links, now: Date): object {
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
      ...related.authorizations.map((one) => ({
        authorization: describeAuthorization(one, payment, links, now),
      })),
      ...related.captures.map((capture) => ({ capture: describeCapture(capture, links) })),
      ...related.refunds.map((refund) => ({ refund: describeRefund(refund, links) })),
    ],
    links: nextSteps(payment, related, links, now),
  };
}

/** Section 2.2: the next-step links of a transaction are those of its authorization or sale. */
function nextSteps(payment: PaymentRow, related: RelatedRows, links: Links, now: Date): Link[] {
  // The latest: one that was reauthorized under a new id has no next step of its own.
  const authorization = related.authorizations.at(-1);
  return [
    ...(authorization === undefined ? [] : nextStepsOf(authorization, payment, links, now)),
    ...related.sales.flatMap((sale) => nextStepsOfSale(sale, links)),
  ];
}

function linksOf(payment: PaymentRow, links: Links): Link[] {
  const self = links.paymentSelf(payment.id);
  if (payment.state !== 'created') return [self];
  return [self, links.approval(payment.approval_token), links.execute(payment.id)];
}
