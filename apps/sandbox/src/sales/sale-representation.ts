import type { SaleRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { describeAmount } from '../money/payment-amount.js';

/** A sale as answered and as the resource of its events: of a payment, or of a billing agreement. */
export function describeSale(sale: SaleRow, links: Links): object {
  const { payment_id, billing_agreement_id, invoice_number, custom } = sale;
  return {
    id: sale.id,
    create_time: sale.created_at.toISOString(),
    update_time: sale.updated_at.toISOString(),
    amount: describeAmount(sale),
    payment_mode: 'INSTANT_TRANSFER',
    state: sale.state,
    ...(sale.state === 'pending' && { reason_code: 'PAYMENT_REVIEW' }),
    // The public states have no word for a chargeback: the reason distinguishes it from a refund.
    ...(sale.reversed_minor > 0 && { reason_code: 'CHARGEBACK' }),
    ...(payment_id !== null && { parent_payment: payment_id }),
    ...(billing_agreement_id !== null && { billing_agreement_id }),
    ...(invoice_number !== null && { invoice_number }),
    ...(custom !== null && { custom }),
    links: [
      ...nextStepsOfSale(sale, links),
      ...(payment_id === null ? [] : [links.parentPayment(payment_id)]),
    ],
  };
}

/** A sale can be refunded once it is completed and until all of it was refunded. */
export function nextStepsOfSale(sale: SaleRow, links: Links): Link[] {
  const isRefundable = sale.state === 'completed' || sale.state === 'partially_refunded';
  return [links.saleSelf(sale.id), ...(isRefundable ? [links.refundSale(sale.id)] : [])];
}
