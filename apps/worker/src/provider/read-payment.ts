import type { PaymentsClient } from '#payments-client';
import type { PaymentState, ProviderFacts } from '#workflows/lifecycle/payment';
import { lookLimit } from './provider-clients.js';
import { factsOf } from './provider-facts.js';

/**
 * Reads a payment with its authorization and captures, or its sale.
 *
 * @throws {UnreadableAnswerError} for an amount in another currency than the order's.
 */
export async function readPaymentFacts(
  client: PaymentsClient,
  {
    providerPaymentId = '',
    order,
    authorization,
  }: Pick<PaymentState, 'providerPaymentId' | 'order' | 'authorization'>,
): Promise<ProviderFacts> {
  const payment = await client.payments.get(providerPaymentId, { signal: lookLimit() });
  return factsOf(payment, order.amount.currency, authorization);
}
