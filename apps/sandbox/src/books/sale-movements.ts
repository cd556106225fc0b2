import type { SaleRow } from '../database/tables.js';
import { payeeAccount, payerAccount } from './accounts.js';
import { book, type Booking } from './book.js';

/** Only of a completed sale: while it is pending, the payer's money is still the payer's. */
export function bookSale(booking: Booking, sale: SaleRow): Promise<void> {
  const movement = {
    kind: 'sale',
    client_id: sale.client_id,
    payment_id: sale.payment_id,
    agreement_id: sale.billing_agreement_id,
    sale_id: sale.id,
    amount_minor: sale.amount_minor,
    currency: sale.currency,
    invoice_number: sale.invoice_number,
    custom: sale.custom,
  } as const;
  return book(booking, movement, payerAccount(sale.payer_id), payeeAccount(sale.payee_id));
}
