import type { Instant } from '../lifecycle.js';
import type { Billing, BookFacts, SubscriptionState } from './subscription.js';

/**
 * Something has become of a payment: its book is read as soon as that can be done, and once more when reads no longer lag.
 * Whatever else is under way, for the agreement itself need not show it.
 */
export function owingBook(state: SubscriptionState, now: Instant): SubscriptionState {
  return { ...state, arePaymentsOwed: true, confirmAt: now + state.order.patience.outcomeHorizonMs };
}

/**
 * An agreement that has come to its end is read on: a payment may have been booked right before, or be on its way.
 *
 * @param book of the read that showed the end, if one did.
 */
export function closing(state: SubscriptionState, now: Instant, book?: BookFacts): SubscriptionState {
  if (state.agreementId === undefined) return state;
  const owing = { ...owingBook(state, now), lastPollAt: now };
  if (!book) return { ...owing, polls: 0 };
  const { arePaymentsOwed: _read, ...rest } = owing;
  return { ...rest, polls: 1 };
}

/** True while something of the book is still to be read. */
export function isBookOwed({ arePaymentsOwed, confirmAt, oldestPendingAt }: SubscriptionState): boolean {
  return arePaymentsOwed === true || confirmAt !== undefined || oldestPendingAt !== undefined;
}

/** The book has been read along; the same state where that changes nothing that is owed. */
export function withBook(state: SubscriptionState, book: BookFacts | undefined): SubscriptionState {
  if (!book) return state;
  const { arePaymentsOwed, confirmAt, oldestPendingAt: pendingBefore, ...rest } = state;
  const { oldestPendingAt } = book;
  // Asked for at `lastPollAt` at the earliest.
  const isConfirmed = confirmAt !== undefined && state.lastPollAt >= confirmAt;
  if (!arePaymentsOwed && !isConfirmed && oldestPendingAt === pendingBefore) return state;
  return {
    ...rest,
    ...(confirmAt !== undefined && !isConfirmed && { confirmAt }),
    ...(oldestPendingAt !== undefined && { oldestPendingAt }),
  };
}

/**
 * From when on a read of the agreement has its payments read along; undefined where it need not. What was paid up to the
 * last payment that we know of is in the book, unless one of any age may have changed.
 *
 * @param createdAt when the agreement came into being, which is before any payment of it.
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

/** When it was last changed is no news by itself. */
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
