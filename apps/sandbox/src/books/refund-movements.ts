import type { CaptureRow, RefundRow, SaleRow } from '../database/tables.js';
import { payeeAccount, payerAccount } from './accounts.js';
import { book, type Booking, type Movement } from './book.js';

/** A sale or a capture, with its payer and payee. */
export type Collected = ({ kind: 'sale'; row: SaleRow } | { kind: 'capture'; row: CaptureRow }) & {
  payerId: string | null;
  payeeId: string;
  /** The payment's own reference. */
  custom: string | null;
};

/** Only of a completed refund: while it is pending, the money is still the payee's. */
export function bookRefund(booking: Booking, refund: RefundRow, collected: Collected): Promise<void> {
  return bookReturn(booking, collected, {
    kind: 'refund',
    refund_id: refund.id,
    amount_minor: refund.amount_minor,
    // The refund's own reference distinguishes two equal refunds of one capture.
    invoice_number: refund.invoice_number,
    custom: refund.custom ?? collected.custom,
  });
}

/** A chargeback of `amountMinor`. */
export function bookReversal(booking: Booking, collected: Collected, amountMinor: number): Promise<void> {
  const { custom, row } = collected;
  const { invoice_number } = row;
  return bookReturn(booking, collected, {
    kind: 'reversal',
    amount_minor: amountMinor,
    invoice_number,
    custom,
  });
}

type OwnPart = Pick<Movement, 'kind' | 'amount_minor' | 'refund_id' | 'invoice_number' | 'custom'>;

function bookReturn(booking: Booking, collected: Collected, own: OwnPart): Promise<void> {
  const { kind, row, payerId, payeeId } = collected;
  const origin =
    kind === 'sale'
      ? { sale_id: row.id, agreement_id: row.billing_agreement_id }
      : { capture_id: row.id, authorization_id: row.authorization_id };
  const movement = {
    ...own,
    ...origin,
    client_id: row.client_id,
    payment_id: row.payment_id,
    currency: row.currency,
  };
  return book(booking, movement, payeeAccount(payeeId), payerAccount(payerId));
}
