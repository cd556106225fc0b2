import { type ShownPayment, paymentKey } from '#database/subjects';
import type { AgreementTransaction, PaymentsClient } from '#payments-client';
import { paymentStatusOf } from '#workflows/lifecycle/subscription';
import { minorOf } from './agreement-facts.js';
import { lookLimit } from './provider-clients.js';
import { UnreadableAnswerError } from './provider-facts.js';

const day = 86_400_000;

/**
 * Reads what an agreement has collected, and failed to collect, since an instant.
 *
 * @param currency of the plan; an amount in another one throws UnreadableAnswerError, as a payment without an id does.
 * @param until the end of the time that is asked for; days are whole, in UTC.
 */
export async function readPayments(
  client: PaymentsClient,
  agreementId: string,
  currency: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<readonly ShownPayment[]> {
  // A day more on either side: the provider's clock and ours may differ.
  const range = { startDate: dayOf(since - day), endDate: dayOf(until + day) };
  const listed = await client.agreements.transactions(agreementId, range, { signal: lookLimit() });
  const paid = distinct(listed.flatMap((transaction) => paymentIn(transaction, agreementId, currency) ?? []));
  return await Promise.all(paid.map((payment) => withReversal(client, payment)));
}

/**
 * Changes of state are listed, too, without an amount.
 *
 * @throws {UnreadableAnswerError} for a payment that names neither its sale nor, where no money moved, its agreement: under
 *   an id of our guessing it would stand in the book beside itself, once a later list names it.
 */
function paymentIn(
  { id, amount, status, time }: AgreementTransaction,
  agreementId: string,
  currency: string,
): ShownPayment | undefined {
  if (!amount || time === undefined) return undefined;
  if (id === undefined) throw new UnreadableAnswerError();
  return {
    transactionId: id,
    isSale: id !== agreementId,
    at: new Date(time),
    status: paymentStatusOf(status),
    minor: minorOf(amount, currency),
  };
}

/** The list has no word for a chargeback: it shows one as a refund, and the sale as one by its reason. */
async function withReversal(client: PaymentsClient, payment: ShownPayment): Promise<ShownPayment> {
  const { status, transactionId, isSale } = payment;
  const isGivenBack = status === 'refunded' || status === 'partially_refunded';
  if (!isGivenBack || !isSale) return payment;
  const { reasonCode } = await client.sales.get(transactionId, { signal: lookLimit() });
  return reasonCode === 'CHARGEBACK' ? { ...payment, status: 'reversed' } : payment;
}

/** One statement cannot write a row twice. */
function distinct(payments: readonly ShownPayment[]): ShownPayment[] {
  return [...new Map(payments.map((payment) => [paymentKey(payment), payment])).values()];
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
