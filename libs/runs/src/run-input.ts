import type { Purchase } from '../../workflows/src/contract.js';

/** Messages after which a run continues as new; a payment sees a few dozen in its life. */
export const messagesPerRun = 1_000;

/**
 * Where the provider sends the payer back to: the API's payer routes.
 *
 * @param publicUrl origin under which payers reach the API.
 */
export function payerAddresses(
  publicUrl: string,
  paymentId: string,
): Pick<Purchase, 'returnUrl' | 'cancelUrl'> {
  const self = `${publicUrl.replace(/\/+$/, '')}/v1/payments/${paymentId}`;
  return { returnUrl: `${self}/return`, cancelUrl: `${self}/cancel` };
}
