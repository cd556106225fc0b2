import type { Payment, PaymentPage, PaymentsClient } from '#payments-client';
import { type Money, parseMoney } from '#workflows/lifecycle';
import { clockSkewMs } from './clock-skew.js';
import { searchLimit } from './provider-clients.js';

const pageSize = 20;
const mostPages = 100;
/** What a payment was ordered with. */
interface Sought {
  /** Our id of it. */
  readonly custom: string;
  /** The invoice numbers that it was sent under. */
  readonly references: readonly string[];
  readonly amount: Money;
}

/**
 * Searches the provider's list for the payment that carries our id of it in `custom`, or one of the references that it
 * was created under as its invoice number.
 *
 * Only the time in which it can have been created is searched: what comes later must not make each look longer than the
 * one before.
 *
 * @param since when its creation was first sent.
 * @param until when, at the latest, the provider has carried the last attempt out.
 * @returns 'unreadable' when there were more pages than we could read, or a payment that does not say whose it is and
 * may be this one: then absence is not shown.
 */
export async function findPaymentByReference(
  client: PaymentsClient,
  sought: Sought,
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<Payment | 'absent' | 'unreadable'> {
  const startTime = new Date(since.getTime() - clockSkewMs).toISOString();
  const endTime = new Date(until.getTime() + clockSkewMs).toISOString();
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
    if (next === undefined) return absence;
    // The page begins again where it ended: it does not go where it is asked to.
    if (next === startId) return 'unreadable';
    startId = next;
  }
  return 'unreadable';
}

/**
 * Where the page after this one begins; undefined after the last one. A full page that names no next one may be the last
 * one, and may have left the name out: a page that begins with its last payment shows which.
 */
function startOfNext({ payments, nextId }: PaymentPage): string | undefined {
  return nextId === undefined && payments.length >= pageSize ? payments.at(-1)?.id : nextId;
}

type Transaction = Payment['transactions'][number];

function isIt({ custom, invoiceNumber }: Transaction, sought: Sought): boolean {
  return (
    custom === sought.custom || (invoiceNumber !== undefined && sought.references.includes(invoiceNumber))
  );
}

/** A payment that is shown without its transactions, or without any reference of whoever made it. */
function mayBeIt({ transactions }: Payment, { amount }: Sought): boolean {
  const mayBe = ({ custom, invoiceNumber, amount: shown }: Transaction) =>
    custom === undefined && invoiceNumber === undefined && (!shown || isOf(amount, shown));
  return transactions.length === 0 || transactions.some(mayBe);
}

function isOf(amount: Money, { value, currency }: NonNullable<Transaction['amount']>): boolean {
  return currency === amount.currency && parseMoney(value, currency).minor === amount.minor;
}
