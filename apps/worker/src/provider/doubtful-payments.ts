import type { ShownPayment } from '#database/subjects';
import type { PaymentsClient } from '#payments-client';
import type {
  SubscriptionPaymentStatus,
  Billing,
  SubscriptionState,
} from '#workflows/lifecycle/subscription';
import { clockSkewMs } from './clock-skew.js';
import { lookLimit } from './provider-clients.js';

/** The payment that was completed last is hardly ever older than so many others. */
const mostPending = 10;

/** A list of an agreement's payments, beside what the agreement itself told right before. */
export interface ListedPayments {
  readonly payments: readonly ShownPayment[];
  readonly billing: Pick<Billing, 'lastPaymentAt'>;
  readonly since: number;
  readonly readAt: number;
}

/**
 * True while the list is not to be believed yet: it leaves out the payment of which the agreement tells, or names one by a
 * word that nobody knows. Either may be so for good, by a provider that tells other times or has more words: so it is
 * doubted only for as long as a doubt may last.
 */
export async function isDoubtful(
  client: PaymentsClient,
  state: Pick<SubscriptionState, 'confirmAt' | 'order'>,
  listed: ListedPayments,
): Promise<boolean> {
  if (listed.payments.some(({ at, status }) => status === 'unknown' && isFresh(state, at.getTime(), listed)))
    return true;
  const { lastPaymentAt = 0 } = listed.billing;
  if (!leavesOutLatest(listed) || !isFresh(state, lastPaymentAt, listed)) return false;
  return !(await hasCompletedLate(client, listed.payments));
}

/** Whether the list shows nothing that was collected when the agreement says that something was. */
export function leavesOutLatest({ payments, billing, since, readAt }: ListedPayments): boolean {
  const { lastPaymentAt } = billing;
  if (lastPaymentAt === undefined || lastPaymentAt < since || lastPaymentAt > readAt + clockSkewMs)
    return false;
  // One of the two may be told in whole seconds.
  const earliest = secondOf(lastPaymentAt);
  return !payments.some((payment) => isPaid(payment) && secondOf(payment.at.getTime()) >= earliest);
}

/** For some time after the payment, or after the instant from which reads no longer lag. */
function isFresh(
  { confirmAt = 0, order }: Pick<SubscriptionState, 'confirmAt' | 'order'>,
  paidAt: number,
  { readAt }: ListedPayments,
): boolean {
  return readAt < Math.max(paidAt, confirmAt) + order.patience.reviewAfterMs;
}

/** A payment that was on its way is listed by when it was begun, and the agreement tells when it arrived. */
async function hasCompletedLate(client: PaymentsClient, payments: readonly ShownPayment[]): Promise<boolean> {
  const newest = payments
    .filter((payment) => payment.isSale && isPaid(payment))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, mostPending);
  const sales = await Promise.all(
    newest.map(({ transactionId }) => client.sales.get(transactionId, { signal: lookLimit() })),
  );
  return sales.some(({ createTime, updateTime }) => {
    if (createTime === undefined || updateTime === undefined) return true;
    return Date.parse(updateTime) > Date.parse(createTime);
  });
}

const unpaid: ReadonlySet<SubscriptionPaymentStatus> = new Set(['pending', 'failed']);

/** A free cycle is completed, too, and the agreement tells nothing of it. */
function isPaid({ status, minor }: ShownPayment): boolean {
  return minor > 0 && !unpaid.has(status);
}

function secondOf(at: number): number {
  return Math.floor(at / 1_000);
}
