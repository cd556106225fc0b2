import type { RefundRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { writeAmount } from '../money/amount.js';

/** A refund as answered and as the resource of its events. No fees are simulated: it is paid from what was received. */
export function describeRefund(refund: RefundRow, links: Links): object {
  const { currency, sale_id, capture_id, payment_id, description, reason, invoice_number, custom } = refund;
  const inCurrency = (minor: number) => ({ currency, value: writeAmount(minor, currency) });
  return {
    id: refund.id,
    create_time: refund.created_at.toISOString(),
    update_time: refund.updated_at.toISOString(),
    state: refund.state,
    amount: { total: writeAmount(refund.amount_minor, currency), currency },
    refund_from_transaction_fee: inCurrency(0),
    refund_from_received_amount: inCurrency(refund.amount_minor),
    total_refunded_amount: inCurrency(refund.total_refunded_minor),
    ...(sale_id !== null && { sale_id }),
    ...(capture_id !== null && { capture_id }),
    ...(payment_id !== null && { parent_payment: payment_id }),
    ...(description !== null && { description }),
    ...(reason !== null && { reason }),
    ...(invoice_number !== null && { invoice_number }),
    ...(custom !== null && { custom }),
    links: linksOf(refund, links),
  };
}

function linksOf({ id, payment_id, sale_id, capture_id }: RefundRow, links: Links): Link[] {
  return [
    links.to('self', 'GET', `/v1/payments/refund/${id}`),
    ...(payment_id === null ? [] : [links.parentPayment(payment_id)]),
    ...(sale_id === null ? [] : [links.to('sale', 'GET', `/v1/payments/sale/${sale_id}`)]),
    ...(capture_id === null ? [] : [links.to('capture', 'GET', `/v1/payments/capture/${capture_id}`)]),
  ];
}
