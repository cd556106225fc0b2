import type { Instant } from '../lifecycle.js';
import type { Billing, BookFacts, SubscriptionState } from './subscription.js';

/**
 * A payment has changed: the payments are read as soon as possible, and once more when reads no longer lag. This is
 * needed even during other work, because the agreement itself may not show the change.
 */
export function owingBook(state: SubscriptionState, now: Instant): SubscriptionState {
  return { ...state, arePaymentsOwed: true, confirmAt: now + state.order.patience.outcomeHorizonMs };
}

/**
 * An ended agreement is read further: a payment may have been made just before, or be pending.
 *
 * @param book the payments of the read that showed the end, if any.
 */
export function closing(state: SubscriptionState, now: Instant, book?: BookFacts): SubscriptionState {
  const owing = owingBook(state, now);
  if (!book) return owing;
  const { arePaymentsOwed: _read, ...rest } = owing;
  return { ...rest, polls: 1 };
}

/** True while a read of the payments is due. */
export function isBookOwed({ arePaymentsOwed, confirmAt, oldestPendingAt }: SubscriptionState): boolean {
  return arePaymentsOwed === true || confirmAt !== undefined || oldestPendingAt !== undefined;
}

/**
 * Whether the agreement shows a failed payment that the list read along may lack. A list that lags lacks the latest
 * payment, and the agreement names only the latest one that succeeded.
 */
export function mayLackFailure(state: SubscriptionState, shown: Billing): boolean {
  const { billing, arePaymentsOwed, confirmAt } = state;
  const isOwing = shown.outstandingMinor > 0;
  // The answer to the execution has shown that the setup fee failed, and no list was read since.
  if (isSame(shown, billing)) return isOwing && arePaymentsOwed === true && confirmAt === undefined;
  return shown.failedPayments > 0 || shown.outstandingMinor > (billing?.outstandingMinor ?? 0);
}

/** Takes a read of the payments; returns the same state if no due read changes. */
export function withBook(state: SubscriptionState, book: BookFacts | undefined): SubscriptionState {
  if (!book) return state;
  const { arePaymentsOwed, confirmAt, oldestPendingAt: pendingBefore, ...rest } = state;
  const { oldestPendingAt } = book;
  // The read began at `lastPollAt` or later.
  const isConfirmed = confirmAt !== undefined && state.lastPollAt >= confirmAt;
  if (!arePaymentsOwed && !isConfirmed && oldestPendingAt === pendingBefore) return state;
  return {
    ...rest,
    ...(confirmAt !== undefined && !isConfirmed && { confirmAt }),
    ...(oldestPendingAt !== undefined && { oldestPendingAt }),
  };
}

/**
 * From which instant on a read of the agreement must also read its payments; undefined if it need not. Payments up to
 * the latest known one are recorded, unless a payment of any age may have changed.
 *
 * @param createdAt when the agreement was created, before all its payments.
 */
export function bookReadSince(
  state: SubscriptionState,
  shown: Billing,
  createdAt: Instant,
): Instant | undefined {
  const { arePaymentsOwed, confirmAt, oldestPendingAt, billing } = state;
  if (arePaymentsOwed || confirmAt !== undefined) return createdAt;
  if (oldestPendingAt === undefined && isSame(shown, billing)) return undefined;
  const lastPaymentAt = billing?.lastPaymentAt ?? createdAt;
  return oldestPendingAt === undefined ? lastPaymentAt : Math.min(lastPaymentAt, oldestPendingAt);
}

/** Compares everything except the instant of the last change. */
export function isSame(one: Billing, other: Billing | undefined): boolean {
  return (
    one.cyclesCompleted === other?.cyclesCompleted &&
    one.cyclesRemaining === other.cyclesRemaining &&
    one.nextBillingAt === other.nextBillingAt &&
    one.finalPaymentAt === other.finalPaymentAt &&
    one.lastPaymentAt === other.lastPaymentAt &&
    one.lastPaymentMinor === other.lastPaymentMinor &&
    one.outstandingMinor === other.outstandingMinor &&
    one.failedPayments === other.failedPayments
  );
}
