import { type Money, moneyText } from '../money.js';

/** What has become of a payment of a subscription. `unknown`: the provider's word is none that we know. */
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

/** @param word the provider's, in any case. */
export function paymentStatusOf(word: string): SubscriptionPaymentStatus {
  const status = word.toLowerCase();
  // Pending until then, and collected no more than one that failed at once.
  if (status === 'denied') return 'failed';
  return known.has(status) ? (status as SubscriptionPaymentStatus) : 'unknown';
}

/** Statuses of payments that were collected, whatever went back since. */
export const collectedStatuses = [
  'completed',
  'partially_refunded',
  'refunded',
  'reversed',
] as const satisfies readonly SubscriptionPaymentStatus[];

/**
 * What a payment that stands so in the book is in, by a newer read: one that says less takes back nothing. A payment that
 * was charged back is listed as refunded, and only its sale's reason, which may be left out, tells otherwise.
 */
export function statusBeside(
  inBook: SubscriptionPaymentStatus | undefined,
  shown: SubscriptionPaymentStatus,
): SubscriptionPaymentStatus {
  if (inBook !== undefined && shown === 'unknown') return inBook;
  const isRefund = shown === 'refunded' || shown === 'partially_refunded';
  return inBook === 'reversed' && isRefund ? inBook : shown;
}

/** A payment whose row was made or has changed. */
export interface ChangedPayment {
  readonly status: SubscriptionPaymentStatus;
  readonly amount: Money;
  /** Undefined for one that was not in the book before. */
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
 * What has become of payments, for the story; undefined where the agreement itself tells as much: that a cycle was billed,
 * or that its payment failed.
 *
 * @param hasEnded whether the subscription had: then nothing is told by it any more.
 */
export function describeChanges(changes: readonly ChangedPayment[], hasEnded: boolean): string | undefined {
  const told = changes.filter(({ status, before }) => {
    if (hasEnded || before !== undefined) return true;
    return status === 'partially_refunded' || status === 'refunded' || status === 'reversed';
  });
  if (told.length === 0) return undefined;
  return told.map(({ status, amount }) => `A payment of ${moneyText(amount)} ${becomes[status]}.`).join(' ');
}
