import { type CodecKeys, sealText } from '#payload-codec';
import type { PaymentOrderRequest } from './payment-requests.js';

/** Whether the order has personal data that the provider gets and no row shows. */
export function hasLetters({ shippingAddress, noteToPayer }: PaymentOrderRequest): boolean {
  return shippingAddress !== undefined || noteToPayer !== undefined;
}

/** The shipping address and the note, encrypted. They are deleted once the provider has the payment. */
export function sealLetters(
  codecKeys: CodecKeys,
  { shippingAddress, noteToPayer }: PaymentOrderRequest,
  paymentId: string,
): Buffer {
  return sealText(codecKeys, JSON.stringify({ shippingAddress, noteToPayer }), paymentId);
}
