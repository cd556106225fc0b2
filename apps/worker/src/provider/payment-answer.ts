import type { Payment } from '#payments-client';
import { type PaymentOrder, isSale, type PaymentEvent } from '#workflows/lifecycle/payment';
import { askedForApproval, declinedByProvider, eventOfPayment, saleIn } from './provider-facts.js';

/**
 * The event that follows from the answer to the creation or execution of a payment. For intent `authorize` see
 * `eventOfPayment`.
 *
 * @throws {UnreadableAnswerError} if the answer does not show the outcome: then it is looked up.
 */
export function outcomeOfPayment(
  payment: Payment,
  order: Pick<PaymentOrder, 'amount' | 'intent' | 'paymentId'>,
): PaymentEvent {
  const { currency } = order.amount;
  return isSale(order) ? eventOfSale(payment, currency) : eventOfPayment(payment, currency, order.paymentId);
}

function eventOfSale(payment: Payment, currency: string): PaymentEvent {
  const sale = saleIn(payment, currency);
  // The sale shows where the money is, whatever state the payment has.
  if (sale) return { type: 'saleAnswered', providerPaymentId: payment.id, sale };
  return payment.state === 'failed' ? declinedByProvider(payment) : askedForApproval(payment);
}
