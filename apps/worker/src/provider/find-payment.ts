import type { Payment, PaymentsClient } from '../../../../libs/payments-client/src/index.js';
import { searchLimit } from './provider-clients.js';

const pageSize = 20;
const mostPages = 100;
/** The provider's clock and ours may differ. */
const clockSkewMs = 120_000;

/**
 * Searches the provider's list for the payment that carries our id of it in `custom`, or one of the references that it
 * was created under as its invoice number.
 *
 * Only the time in which it can have been created is searched: what comes later must not make each look longer than the
 * one before.
 *
 * @param since when its creation was first sent.
 * @param until when, at the latest, the provider has carried the last attempt out.
 * @returns 'unreadable' when there were more pages than we read: then absence is not shown.
 */
export async function findPaymentByReference(
  client: PaymentsClient,
  custom: string,
  references: readonly string[],
  { since, until }: { readonly since: Date; readonly until: Date },
): Promise<Payment | 'absent' | 'unreadable'> {
  const startTime = new Date(since.getTime() - clockSkewMs).toISOString();
  const endTime = new Date(until.getTime() + clockSkewMs).toISOString();
  const signal = searchLimit();
  let startId: string | undefined;
  for (let page = 0; page < mostPages; page += 1) {
    const { payments, nextId } = await client.payments.list(
      { count: pageSize, startTime, endTime, ...(startId !== undefined && { startId }) },
      { signal },
    );
    const found = payments.find(({ transactions }) => transactions.some(isOurs));
    if (found) return found;
    if (nextId === undefined) return 'absent';
    startId = nextId;
  }
  return 'unreadable';

  function isOurs({ custom: shown, invoiceNumber }: Payment['transactions'][number]): boolean {
    return shown === custom || (invoiceNumber !== undefined && references.includes(invoiceNumber));
  }
}
