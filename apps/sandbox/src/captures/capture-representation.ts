import type { CaptureRow } from '../database/tables.js';
import type { Links } from '../http/links.js';
import { writeAmount } from '../money/amount.js';

/** A capture as answered and as the resource of its events. */
export function describeCapture(capture: CaptureRow, links: Links): object {
  const { currency, invoice_number, note_to_payer } = capture;
  return {
    id: capture.id,
    create_time: capture.created_at.toISOString(),
    update_time: capture.updated_at.toISOString(),
    amount: { total: writeAmount(capture.amount_minor, currency), currency },
    is_final_capture: capture.is_final,
    state: capture.state,
    ...(capture.state === 'pending' && { reason_code: 'PAYMENT_REVIEW' }),
    // The public states have no word for a chargeback: the reason distinguishes it from a refund.
    ...(capture.reversed_minor > 0 && { reason_code: 'CHARGEBACK' }),
    ...(invoice_number !== null && { invoice_number }),
    ...(note_to_payer !== null && { note_to_payer }),
    parent_payment: capture.payment_id,
    links: [
      links.captureSelf(capture.id),
      ...(isRefundable(capture) ? [links.refundCapture(capture.id)] : []),
      links.authorization(capture.authorization_id, 'authorization'),
      links.parentPayment(capture.payment_id),
    ],
  };
}

/** Once it is completed and until all of it was refunded. */
function isRefundable({ state }: CaptureRow): boolean {
  return state === 'completed' || state === 'partially_refunded';
}
