import { moneyText } from '../money.js';
import type { Instant } from '../lifecycle.js';
import { closing, isSame, withBook } from './book.js';
import { enter, feeUnclear, moved, withoutStep } from './rules.js';
import {
  type AgreementFacts,
  type Billing,
  type BookFacts,
  type SubscriptionTransitionResult,
  type SubscriptionState,
  type SubscriptionStatus,
  isTerminal,
} from './subscription.js';

type ShownStatus = Extract<SubscriptionStatus, 'pending' | 'active' | 'suspended' | 'cancelled' | 'expired'>;

const statuses: Readonly<Record<string, ShownStatus>> = {
  Pending: 'pending',
  Active: 'active',
  Suspended: 'suspended',
  Cancelled: 'cancelled',
  Expired: 'expired',
};

/** What the provider's word for where an agreement stands means here; undefined for one that we do not know. */
export function statusShown(shown: string): ShownStatus | undefined {
  return statuses[shown];
}

const endings: Readonly<Partial<Record<ShownStatus, string>>> = {
  suspended: 'The agreement was suspended at the provider.',
  cancelled: 'The agreement was cancelled at the provider.',
  expired: 'The last cycle has been billed.',
};

/** The agreement is there; it may be active, pending, or cancelled already because its setup fee was not paid. */
export function startLife(
  state: SubscriptionState,
  facts: AgreementFacts,
  now: Instant,
): SubscriptionTransitionResult {
  const { isReturnWaiting: _taken, isCancelWaiting: _late, ...rest } = withoutStep(state);
  const { agreementId, billing } = facts;
  // A state that we do not know is one in which the provider is still deciding.
  const status = statusShown(facts.shown) ?? 'pending';
  const known = { ...enter(rest, status, now), agreementId, billing, lapsed: false };
  const reason = reasonOfStart(known);
  const begun = { ...known, ...(reason !== undefined && { reason }) };
  if (isTerminal(status)) return moved(closing(begun, now));
  return moved({ ...begun, ...(known.order.setupFeeMinor > 0 && { arePaymentsOwed: true }) });
}

/** What a read tells of an agreement: the provider's word is the truth, unless it is an old one. */
export function observeAgreement(
  state: SubscriptionState,
  event: { readonly facts: AgreementFacts; readonly book?: BookFacts; readonly withPayments?: boolean },
  now: Instant,
): SubscriptionTransitionResult {
  const { facts, book } = event;
  const other = isOtherAgreement(state, facts);
  if (other) return other;
  const status = statusShown(facts.shown);
  if (status === undefined || isFromBefore(state, facts, status, now)) return toldOnly(state, book);
  const known = event.withPayments ? withoutDebt(state) : withBook(state, book);
  if (status === state.status && isSame(facts.billing, state.billing)) {
    return observeUnchanged(state, known, book);
  }
  // What has moved on is polled from the start again.
  const seen = { ...enter(known, status, now), billing: facts.billing, polls: 0, lastPollAt: now };
  const reason = reasonOf(state, status, facts.billing);
  const told = { ...withoutOverdue(seen, state), ...(reason !== undefined && { reason }) };
  return moved(isTerminal(status) ? closing(told, now, book) : told);
}

/** An agreement that lags behind tells nothing; what its payments told is in the book by now, and is not told again. */
export function toldOnly(
  state: SubscriptionState,
  book: BookFacts | undefined,
): SubscriptionTransitionResult {
  return book?.told === undefined ? { kind: 'stale', state } : moved(state);
}

/** Nothing of the agreement has changed: its payments may have, and a cycle that should have been billed was not. */
function observeUnchanged(
  state: SubscriptionState,
  known: SubscriptionState,
  book: BookFacts | undefined,
): SubscriptionTransitionResult {
  const overdue = overdueReason(state);
  if (overdue !== undefined && overdue !== state.reason) return moved({ ...known, reason: overdue });
  return known === state && book?.told === undefined ? { kind: 'stale', state } : moved(known);
}

/** @returns the conflict that a read of another agreement is. */
export function isOtherAgreement(
  state: SubscriptionState,
  { agreementId }: AgreementFacts,
): SubscriptionTransitionResult | undefined {
  if (state.agreementId === agreementId) return undefined;
  const reason = `The provider shows agreement ${agreementId} instead of ${state.agreementId ?? 'none'}.`;
  return { kind: 'conflict', state, reason };
}

/**
 * Reads may lag. One that is older than what was read before, or that contradicts a change of ours which it may not
 * show yet, tells nothing.
 */
function isFromBefore(
  state: SubscriptionState,
  facts: AgreementFacts,
  shownStatus: ShownStatus,
  now: Instant,
): boolean {
  const { status, readsSettleAt } = state;
  if (isOlder(state, facts)) return true;
  // An end is never left at the provider, so no change of ours can have come after it.
  if (isTerminal(shownStatus) || shownStatus === status) return false;
  return readsSettleAt !== undefined && now < readsSettleAt;
}

export function isOlder({ billing }: SubscriptionState, { billing: shown }: AgreementFacts): boolean {
  if (!billing) return false;
  if (shown.updatedAt !== undefined && shown.updatedAt < (billing.updatedAt ?? 0)) return true;
  return shown.cyclesCompleted < billing.cyclesCompleted;
}

/** Why it stands where it now stands; undefined where the status says it all. */
function reasonOf(before: SubscriptionState, status: ShownStatus, shown: Billing): string | undefined {
  if (status === before.status) return reasonOfPayment(before, shown);
  if (before.status === 'pending' && status === 'active') return reasonOfPayment(before, shown);
  if (before.status === 'pending' && status === 'cancelled' && before.order.setupFeeMinor > 0)
    return feeUnclear;
  return status === 'active' ? 'The agreement was reactivated at the provider.' : endings[status];
}

function reasonOfPayment({ billing, order }: SubscriptionState, shown: Billing): string | undefined {
  const owed = shown.outstandingMinor - (billing?.outstandingMinor ?? 0);
  const outstanding = moneyText({ minor: shown.outstandingMinor, currency: order.currency });
  const hasFailed = shown.failedPayments > (billing?.failedPayments ?? 0);
  if (owed > 0 || hasFailed) return `A payment failed; ${outstanding} outstanding.`;
  if (owed < 0 && shown.outstandingMinor > 0) return `${outstanding} outstanding.`;
  if (owed < 0) return 'What was outstanding has been paid.';
  const cycles = shown.cyclesCompleted - (billing?.cyclesCompleted ?? 0);
  return cycles > 0 ? `Cycle ${shown.cyclesCompleted} was billed.` : undefined;
}

function reasonOfStart({ status, billing, order }: SubscriptionState): string | undefined {
  if (status === 'cancelled' && order.setupFeeMinor > 0) return feeUnclear;
  const outstandingMinor = billing?.outstandingMinor ?? 0;
  if (status !== 'active' || outstandingMinor === 0) return endings[status as ShownStatus];
  const outstanding = moneyText({ minor: outstandingMinor, currency: order.currency });
  return `The setup fee was not paid; ${outstanding} outstanding.`;
}

/**
 * That a cycle has not been billed, by a read that began so long after its date as the longest wait between polls is;
 * undefined before that.
 */
function overdueReason({ status, billing, lastPollAt, order }: SubscriptionState): string | undefined {
  const due = billing?.nextBillingAt;
  if (status !== 'active' || due === undefined || lastPollAt < due + order.patience.longestPollMs)
    return undefined;
  return notBilled(due);
}

function withoutOverdue(seen: SubscriptionState, before: SubscriptionState): SubscriptionState {
  const { reason, ...rest } = seen;
  return reason === notBilled(before.billing?.nextBillingAt ?? 0) ? rest : seen;
}

function notBilled(due: Instant): string {
  return `The cycle that was due at ${new Date(due).toISOString()} has not been billed.`;
}

function withoutDebt({ arePaymentsOwed: _read, ...state }: SubscriptionState): SubscriptionState {
  return state;
}
