import type { Payment, PaymentPage, PaymentsClient } from '#payments-client';
import { type Money, parseMoney } from '#workflows/lifecycle';
import { isAllSearched, spanAtProvider } from './clock-skew.js';
import { searchLimit } from './provider-clients.js';

const pageSize = 20;
const mostPages = 100;
/** The payment to find. */
interface Sought {
  /** Our id of the payment. */
  readonly custom: string;
  /** The invoice numbers that it was sent under. */
  readonly references: readonly string[];
  readonly amount: Money;
}

/**
 * Searches the provider's list for the payment with our id in `custom`, or with one of our references as its invoice
 * number.
 *
 * Searches only the time in which it can have been created, so that later payments do not make each lookup longer.
 *
 * @param time since its creation was first sent, until the latest instant at which the provider can have carried out the last
 *   attempt.
 * @returns 'unreadable' if there were more pages than we could read, or a payment without references that may be this one, or
 *   if the provider's clock is not known: then absence is not proved.
 */
export async function findPaymentByReference(
  client: PaymentsClient,
  sought: Sought,
  time: { readonly since: Date; readonly until: Date },
): Promise<Payment | 'absent' | 'unreadable'> {
  const span = spanAtProvider(client, time);
  const [startTime, endTime] = [new Date(span.from).toISOString(), new Date(span.to).toISOString()];
  const signal = searchLimit();
  let startId: string | undefined;
  let absence: 'absent' | 'unreadable' = 'absent';
  for (let page = 0; page < mostPages; page += 1) {
    const shown: PaymentPage = await client.payments.list(
      { count: pageSize, startTime, endTime, ...(startId !== undefined && { startId }) },
      { signal },
    );
    const { payments } = shown;
    const found = payments.find(({ transactions }) => transactions.some((one) => isIt(one, sought)));
    if (found) return found;
    if (payments.some((payment) => mayBeIt(payment, sought))) absence = 'unreadable';
    const next = startOfNext(shown);
    if (next === undefined) return isAllSearched(client, span, time) ? absence : 'unreadable';
    // The next page begins at the same payment: the provider ignores the cursor.
    if (next === startId) return 'unreadable';
    startId = next;
  }
  return 'unreadable';
}

/**
 * The start of the next page; undefined after the last one. A full page without a next id may be the last one, or an
 * incomplete answer: a page that begins with its last payment shows which.
 */
function startOfNext({ payments, nextId }: PaymentPage): string | undefined {
  return nextId === undefined && payments.length >= pageSize ? payments.at(-1)?.id : nextId;
}

type Transaction = Payment['transactions'][number];

function isIt(
  { custom, invoiceNumber }: Transaction,
  sought: Pick<Sought, 'custom' | 'references'>,
): boolean {
  return (
    custom === sought.custom || (invoiceNumber !== undefined && sought.references.includes(invoiceNumber))
  );
}

/** It shows references, and none is ours. One without a reference may be ours: the specification promises none (2.2). */
export function isOfAnother(
  { transactions }: Payment,
  sought: Pick<Sought, 'custom' | 'references'>,
): boolean {
  const referring = transactions.filter(
    ({ custom, invoiceNumber }) => custom !== undefined || invoiceNumber !== undefined,
  );
  return referring.length > 0 && !referring.some((one) => isIt(one, sought));
}

/** A payment that is shown without its transactions, or without any reference. */
function mayBeIt({ transactions }: Payment, { amount }: Sought): boolean {
  const mayBe = ({ custom, invoiceNumber, amount: shown }: Transaction) =>
    custom === undefined && invoiceNumber === undefined && (!shown || isOf(amount, shown));
  return transactions.length === 0 || transactions.some(mayBe);
}

function isOf(amount: Money, { value, currency }: NonNullable<Transaction['amount']>): boolean {
  return currency === amount.currency && parseMoney(value, currency).minor === amount.minor;
}
