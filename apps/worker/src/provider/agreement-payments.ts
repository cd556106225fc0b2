import { type ShownPayment, paymentKey } from '#database/subjects';
import { hasCardNumber } from '#database/text';
import type { AgreementTransaction, PaymentsClient } from '#payments-client';
import { paymentStatusOf } from '#workflows/lifecycle/subscription';
import { minorOf } from './agreement-facts.js';
import { lookLimit } from './provider-clients.js';
import { UnreadableAnswerError } from './provider-facts.js';

const day = 86_400_000;

/**
 * Reads the successful and failed payments of an agreement since an instant.
 *
 * @param currency of the plan; an amount in another one throws UnreadableAnswerError, as a payment without an id does.
 * @param until the end of the range; the provider takes whole days in UTC.
 */
export async function readPayments(
  client: PaymentsClient,
  agreementId: string,
  currency: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<readonly ShownPayment[]> {
  // One day more on each side, because the provider's clock and ours may differ.
  const range = { startDate: dayOf(since - day), endDate: dayOf(until + day) };
  const listed = await client.agreements.transactions(agreementId, range, { signal: lookLimit() });
  const paid = numbered(listed.flatMap((transaction) => paymentIn(transaction, agreementId, currency) ?? []));
  return await Promise.all(paid.map((payment) => withReversal(client, payment)));
}

/**
 * The list also contains changes of state, without an amount.
 *
 * @throws {UnreadableAnswerError} for a payment that names neither its sale nor, if no money moved, its agreement.
 *   Under an id of our own it would be recorded twice once a later list names it.
 */
function paymentIn(
  { id, amount, status, time }: AgreementTransaction,
  agreementId: string,
  currency: string,
): ShownPayment | undefined {
  if (!amount || time === undefined) return undefined;
  if (id === undefined || hasCardNumber(id)) throw new UnreadableAnswerError();
  return {
    transactionId: id,
    isSale: id !== agreementId,
    at: new Date(time),
    status: paymentStatusOf(status),
    minor: minorOf(amount, currency),
  };
}

/** The list has no status for a chargeback: it shows a refund, and only the sale's reason shows the chargeback. */
async function withReversal(client: PaymentsClient, payment: ShownPayment): Promise<ShownPayment> {
  const { status, transactionId, isSale } = payment;
  const isGivenBack = status === 'refunded' || status === 'partially_refunded';
  if (!isGivenBack || !isSale) return payment;
  const { reasonCode } = await client.sales.get(transactionId, { signal: lookLimit() });
  return reasonCode === 'CHARGEBACK' ? { ...payment, status: 'reversed' } : payment;
}

/**
 * The provider gives no id of its own to a payment without a sale. Those of one instant, such as two that failed, get
 * the number of their place in the list; the first one keeps the agreement's id.
 */
function numbered(payments: readonly ShownPayment[]): ShownPayment[] {
  const counts = new Map<string, number>();
  const told = payments.map((payment) => {
    const key = paymentKey(payment);
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    if (payment.isSale || count === 1) return payment;
    return { ...payment, transactionId: `${payment.transactionId}.${count}` };
  });
  return distinct(told);
}

/** The payments of either list, as the second one shows them. */
export function allOf(...lists: readonly [first: readonly ShownPayment[], second: readonly ShownPayment[]]) {
  return distinct(lists.flat());
}

/** An SQL upsert cannot write the same row twice. */
function distinct(payments: readonly ShownPayment[]): ShownPayment[] {
  return [...new Map(payments.map((payment) => [paymentKey(payment), payment])).values()];
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
