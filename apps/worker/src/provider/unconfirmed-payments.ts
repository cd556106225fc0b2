import type { ShownPayment } from '#database/subjects';
import type { PaymentsClient, Sale } from '#payments-client';
import type {
  SubscriptionPaymentStatus,
  Billing,
  SubscriptionState,
} from '#workflows/lifecycle/subscription';
import { clockSkewMs } from './clock-skew.js';
import { lookLimit } from './provider-clients.js';

/** The latest completed payment is rarely older than so many others. */
const mostPending = 10;
/** From the arrival of a payment until the agreement shows it as its latest, both by the provider's clock. */
const countedWithinMs = 10_000;

/** A list of an agreement's payments, with the agreement's own facts that were read just before. */
export interface ListedPayments {
  readonly payments: readonly ShownPayment[];
  readonly billing: Pick<Billing, 'lastPaymentAt'>;
  readonly since: number;
  readonly readAt: number;
}

/** What the run knows: until when it doubts, and which payment the agreement has shown it. */
type Knowing = Pick<SubscriptionState, 'billing' | 'confirmAt' | 'order'>;

/**
 * True while the list cannot be trusted yet: it lacks the latest payment that the agreement shows, or has a payment
 * with an unknown status. Either can be permanent, if the provider shows other times or new statuses, so this is
 * limited in time.
 */
export async function isUnconfirmed(
  client: PaymentsClient,
  state: Knowing,
  listed: ListedPayments,
): Promise<boolean> {
  if (listed.payments.some(({ at, status }) => status === 'unknown' && isFresh(state, at.getTime(), listed)))
    return true;
  return lacksLatest(state, listed) && !(await hasCompletedLate(client, listed.payments));
}

/** A payment that the run has not seen before is missed at least once, however old it is. */
export function lacksLatest(state: Knowing, listed: ListedPayments): boolean {
  const { lastPaymentAt = 0 } = listed.billing;
  const isNew = lastPaymentAt > (state.billing?.lastPaymentAt ?? 0);
  return leavesOutLatest(listed) && (isNew || isFresh(state, lastPaymentAt, listed));
}

/** Whether the list lacks the payment that the agreement shows as its latest. */
export function leavesOutLatest({ payments, billing, since, readAt }: ListedPayments): boolean {
  const { lastPaymentAt } = billing;
  if (lastPaymentAt === undefined || lastPaymentAt < since || lastPaymentAt > readAt + clockSkewMs)
    return false;
  const earliest = secondOf(lastPaymentAt);
  return !payments.some((payment) => isPaid(payment) && secondOf(payment.at.getTime()) >= earliest);
}

/** True for some time after the payment, or after the instant from which reads no longer lag. */
function isFresh({ confirmAt = 0, order }: Knowing, paidAt: number, { readAt }: ListedPayments): boolean {
  return readAt < Math.max(paidAt, confirmAt) + order.patience.reviewAfterMs;
}

/** A payment that was pending is listed with the instant of its start; the agreement shows when it arrived. */
async function hasCompletedLate(client: PaymentsClient, payments: readonly ShownPayment[]): Promise<boolean> {
  const sales = await newestOf(client, payments, isPaid);
  return sales.some((sale) => arrivalOf(sale) !== undefined);
}

/**
 * Whether the payment that the agreement shows as its latest was pending before: its sale is listed, and was completed
 * about then. A sale that has changed since, as by a refund, does not show it.
 */
export async function isLatestListed(
  client: PaymentsClient,
  { payments, billing: { lastPaymentAt = 0 } }: Pick<ListedPayments, 'payments' | 'billing'>,
): Promise<boolean> {
  const sales = await newestOf(client, payments, ({ status }) => status === 'completed');
  return sales.some((sale) => {
    const arrivedAt = arrivalOf(sale);
    return arrivedAt !== undefined && Math.abs(arrivedAt - lastPaymentAt) <= countedWithinMs;
  });
}

/** When a sale that was pending was completed. An answer that is cut short has no instants, and shows nothing. */
function arrivalOf({ createTime = '', updateTime = '' }: Sale): number | undefined {
  const arrivedAt = Date.parse(updateTime);
  return arrivedAt > Date.parse(createTime) ? arrivedAt : undefined;
}

async function newestOf(
  client: PaymentsClient,
  payments: readonly ShownPayment[],
  isMeant: (payment: ShownPayment) => boolean,
): Promise<readonly Sale[]> {
  const newest = payments
    .filter((payment) => payment.isSale && isMeant(payment))
    .toSorted((one, other) => other.at.getTime() - one.at.getTime())
    .slice(0, mostPending);
  return await Promise.all(
    newest.map(({ transactionId }) => client.sales.get(transactionId, { signal: lookLimit() })),
  );
}

const unpaid: ReadonlySet<SubscriptionPaymentStatus> = new Set(['pending', 'failed']);

/** A free cycle is also completed, but the agreement does not show it. */
function isPaid({ status, minor }: ShownPayment): boolean {
  return minor > 0 && !unpaid.has(status);
}

/** Of instants that are compared: one of the two may be rounded to whole seconds. */
export function secondOf(at: number): number {
  return Math.floor(at / 1_000);
}
