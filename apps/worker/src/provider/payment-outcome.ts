import type { Payment } from '#payments-client';
import { type PaymentOrder, isSale, type PaymentEvent } from '#workflows/lifecycle/payment';
import { askedForApproval, declinedByProvider, eventOfPayment, saleIn } from './provider-facts.js';

/**
 * What the answer to the creation or execution of an ordered payment means; of a hold see `eventOfPayment`.
 *
 * @throws {UnreadableAnswerError} when it does not say what became of it: then that is to be looked up.
 */
export function outcomeOfPayment(
  payment: Payment,
  order: Pick<PaymentOrder, 'amount' | 'intent'>,
): PaymentEvent {
  const { currency } = order.amount;
  return isSale(order) ? eventOfSale(payment, currency) : eventOfPayment(payment, currency);
}

function eventOfSale(payment: Payment, currency: string): PaymentEvent {
  const sale = saleIn(payment, currency);
  // Whatever the payment is called meanwhile: where the money is, its sale tells.
  if (sale) return { type: 'saleAnswered', providerPaymentId: payment.id, sale };
  return payment.state === 'failed' ? declinedByProvider(payment) : askedForApproval(payment);
}
