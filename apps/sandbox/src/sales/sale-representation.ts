import type { PaymentRow, SaleRow } from '../database/tables.js';
import type { Links } from '../http/links.js';
import { describeAmount } from '../payments/payment-amount.js';

/** A sale as answered and as the resource of its events. */
export function describeSale(sale: SaleRow, payment: PaymentRow, links: Links): object {
  const { invoice_number, custom } = payment;
  return {
    id: sale.id,
    create_time: sale.created_at.toISOString(),
    update_time: sale.updated_at.toISOString(),
    amount: describeAmount(payment),
    payment_mode: 'INSTANT_TRANSFER',
    state: sale.state,
    parent_payment: sale.payment_id,
    ...(invoice_number !== null && { invoice_number }),
    ...(custom !== null && { custom }),
    links: [links.saleSelf(sale.id), links.refundSale(sale.id), links.parentPayment(sale.payment_id)],
  };
}
