import { type Money, moneyText } from '../money.js';

/** The statuses of a subscription's payment. `unknown`: the provider shows a status that we do not know. */
export const subscriptionPaymentStatuses = [
  'pending',
  'completed',
  'partially_refunded',
  'refunded',
  'reversed',
  'failed',
  'unknown',
] as const;
export type SubscriptionPaymentStatus = (typeof subscriptionPaymentStatuses)[number];

const known: ReadonlySet<string> = new Set(subscriptionPaymentStatuses);

/** @param word the provider's status, in upper or lower case. */
export function paymentStatusOf(word: string): SubscriptionPaymentStatus {
  const status = word.toLowerCase();
  // A denied payment was pending before; like a failed one it collected nothing.
  if (status === 'denied') return 'failed';
  return known.has(status) ? (status as SubscriptionPaymentStatus) : 'unknown';
}

/** Statuses of collected payments, before refunds and chargebacks. */
export const collectedStatuses = [
  'completed',
  'partially_refunded',
  'refunded',
  'reversed',
] as const satisfies readonly SubscriptionPaymentStatus[];

/**
 * The status of a recorded payment after a newer read; a read that shows less does not overwrite it. What is collected or
 * failed is never pending again: a read that says so lags, and callers were told. A charged-back payment is listed as
 * refunded, and only its sale's reason, which may be missing, shows the chargeback.
 */
export function statusBeside(
  inBook: SubscriptionPaymentStatus | undefined,
  shown: SubscriptionPaymentStatus,
): SubscriptionPaymentStatus {
  if (inBook !== undefined && shown === 'unknown') return inBook;
  if (inBook !== undefined && inBook !== 'unknown' && shown === 'pending') return inBook;
  const isRefund = shown === 'refunded' || shown === 'partially_refunded';
  return inBook === 'reversed' && isRefund ? inBook : shown;
}

/**
 * True for a read by which less has gone back than our record says. It lags, or a refund failed or a chargeback was lost
 * since: that shows once reads no longer lag.
 */
export function showsLessReturned(
  inBook: SubscriptionPaymentStatus,
  shown: SubscriptionPaymentStatus,
): boolean {
  const isReturned = inBook === 'refunded' || inBook === 'reversed' || inBook === 'partially_refunded';
  if (shown === 'partially_refunded') return inBook === 'refunded';
  return isReturned && shown === 'completed';
}

/** A payment with a new or changed row. */
export interface ChangedPayment {
  readonly status: SubscriptionPaymentStatus;
  readonly amount: Money;
  /** Undefined for a new payment. */
  readonly before: SubscriptionPaymentStatus | undefined;
}

const becomes: Readonly<Record<SubscriptionPaymentStatus, string>> = {
  pending: 'is on its way',
  completed: 'was collected',
  partially_refunded: 'was refunded in part',
  refunded: 'was refunded',
  reversed: 'was charged back',
  failed: 'failed',
  unknown: 'is in a state that we do not know',
};

/**
 * The changes of payments in words for the timeline; undefined if the agreement itself shows them: a billed cycle or a
 * failed payment.
 *
 * @param hasEnded whether the subscription had ended: then the agreement reports nothing any more.
 */
export function describeChanges(changes: readonly ChangedPayment[], hasEnded: boolean): string | undefined {
  const reported = changes.filter(({ status, before }) => {
    if (hasEnded || before !== undefined) return true;
    return status === 'partially_refunded' || status === 'refunded' || status === 'reversed';
  });
  if (reported.length === 0) return undefined;
  return reported
    .map(({ status, amount }) => `A payment of ${moneyText(amount)} ${becomes[status]}.`)
    .join(' ');
}
