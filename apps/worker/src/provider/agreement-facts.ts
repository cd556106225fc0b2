import {
  type Agreement,
  type AgreementTransaction,
  type PaymentsClient,
} from '../../../../libs/payments-client/src/index.js';
import type { ShownPayment } from '../../../../libs/database/src/subscriptions.js';
import { type Money, parseMoney } from '../../../../libs/workflows/src/lifecycle/money.js';
import type {
  AgreementFacts,
  Billing,
} from '../../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { UnreadableAnswerError } from './provider-facts.js';
import { lookLimit } from './provider-clients.js';

const day = 86_400_000;

/**
 * Reduces an agreement to what the lifecycle decides on.
 *
 * @param currency of the plan; an amount in another one throws UnreadableAnswerError.
 */
export function agreementFactsOf(agreement: Agreement, currency: string): AgreementFacts {
  return { agreementId: agreement.id, shown: agreement.state, billing: billingOf(agreement, currency) };
}

function billingOf({ details, updateTime }: Agreement, currency: string): Billing {
  const { cyclesRemaining, lastPaymentAmount } = details;
  // The public API answers 0 where there is no end, and leaves out the date of the last payment.
  const isEndless = cyclesRemaining === 0 && details.finalPaymentDate === undefined;
  return {
    ...instant('updatedAt', updateTime),
    cyclesCompleted: details.cyclesCompleted ?? 0,
    ...(cyclesRemaining !== undefined && !isEndless && { cyclesRemaining }),
    ...instant('nextBillingAt', details.nextBillingDate),
    ...instant('finalPaymentAt', details.finalPaymentDate),
    ...instant('lastPaymentAt', details.lastPaymentDate),
    ...(lastPaymentAmount && { lastPaymentMinor: minorOf(lastPaymentAmount, currency) }),
    outstandingMinor: details.outstandingBalance ? minorOf(details.outstandingBalance, currency) : 0,
    failedPayments: details.failedPaymentCount ?? 0,
  };
}

export interface ReadPayments {
  readonly payments: readonly ShownPayment[];
  /** Ids of those that moved money. */
  readonly saleIds: readonly string[];
}

/**
 * Reads what an agreement has collected, and failed to collect, since an instant.
 *
 * @param until the end of the time that is asked for; days are whole, in UTC.
 */
export async function readPayments(
  client: PaymentsClient,
  agreementId: string,
  currency: string,
  { since, until }: { readonly since: number; readonly until: number },
): Promise<ReadPayments> {
  // A day more on either side: the provider's clock and ours may differ.
  const range = { startDate: dayOf(since - day), endDate: dayOf(until + day) };
  const listed = await client.agreements.transactions(agreementId, range, { signal: lookLimit() });
  const paid = listed.flatMap((transaction) => paymentIn(transaction, agreementId, currency) ?? []);
  return {
    payments: distinct(paid),
    saleIds: paid.map(({ transaction_id }) => transaction_id).filter((id) => id !== agreementId),
  };
}

/** Changes of state are listed, too, without an amount. */
function paymentIn(
  { id, amount, status, time }: AgreementTransaction,
  agreementId: string,
  currency: string,
): ShownPayment | undefined {
  if (!amount || time === undefined) return undefined;
  const minor = minorOf(amount, currency);
  return {
    transaction_id: id ?? agreementId,
    at: new Date(time),
    status: status.slice(0, 64),
    minor,
    currency,
  };
}

/** One statement cannot write a row twice. */
function distinct(payments: readonly ShownPayment[]): ShownPayment[] {
  return [
    ...new Map(
      payments.map((payment) => [`${payment.at.getTime()} ${payment.transaction_id}`, payment]),
    ).values(),
  ];
}

function minorOf(
  amount: { readonly value: string; readonly currency: string },
  currency: string,
): Money['minor'] {
  if (amount.currency !== currency) throw new UnreadableAnswerError();
  return parseMoney(amount.value, currency).minor;
}

function instant<Name extends string>(
  name: Name,
  iso: string | undefined,
): { readonly [Key in Name]?: number } {
  return (iso === undefined ? {} : { [name]: Date.parse(iso) }) as { readonly [Key in Name]?: number };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
