import type { CaptureRow, PaymentRow } from '../database/tables.js';
import { holdAccount, payeeAccount, payerAccount } from './accounts.js';
import { book, type Booking, type Movement } from './book.js';

const payer = (payment: PaymentRow) => payerAccount(payment.payer_id);
const payee = (payment: PaymentRow) => payeeAccount(payment.payee_id);

export function bookHold(
  booking: Booking,
  payment: PaymentRow,
  authorizationId: string,
  amountMinor: number,
): Promise<void> {
  const movement = {
    ...of(payment),
    kind: 'hold',
    amount_minor: amountMinor,
    authorization_id: authorizationId,
  } as const;
  return book(booking, movement, payer(payment), holdAccount(authorizationId));
}

/** Only of a completed capture: while it is pending, the money is still held. */
export function bookCapture(booking: Booking, payment: PaymentRow, capture: CaptureRow): Promise<void> {
  const movement = {
    ...of(payment),
    kind: 'capture',
    amount_minor: capture.amount_minor,
    authorization_id: capture.authorization_id,
    capture_id: capture.id,
    // The capture's own reference distinguishes two equal captures of one payment.
    invoice_number: capture.invoice_number,
  } as const;
  return book(booking, movement, holdAccount(capture.authorization_id), payee(payment));
}

/** When there is nothing to release, there is no entry. */
export async function bookRelease(
  booking: Booking,
  payment: PaymentRow,
  authorizationId: string,
  amountMinor: number,
): Promise<void> {
  if (amountMinor === 0) return;
  const movement = {
    ...of(payment),
    kind: 'release',
    amount_minor: amountMinor,
    authorization_id: authorizationId,
  } as const;
  await book(booking, movement, holdAccount(authorizationId), payer(payment));
}

function of(payment: PaymentRow): Omit<Movement, 'kind' | 'amount_minor'> {
  return {
    client_id: payment.client_id,
    payment_id: payment.id,
    currency: payment.currency,
    invoice_number: payment.invoice_number,
    custom: payment.custom,
  };
}
