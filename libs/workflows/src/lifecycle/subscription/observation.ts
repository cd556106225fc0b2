import { moneyText } from '../money.js';
import type { Instant } from '../lifecycle.js';
import { closing, isSame, owingBook, withBook } from './book.js';
import { enter, feeUnclear, moved, withoutStep } from './rules.js';
import {
  type AgreementFacts,
  type Billing,
  type BookFacts,
  type SubscriptionEvent,
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

/** Our status for the provider's state of an agreement; undefined for an unknown state. */
export function statusShown(shown: string): ShownStatus | undefined {
  return statuses[shown];
}

const endings: Readonly<Partial<Record<ShownStatus, string>>> = {
  suspended: 'The agreement was suspended at the provider.',
  cancelled: 'The agreement was cancelled at the provider.',
  expired: 'The last cycle has been billed.',
};

/** The agreement exists. It may be active, pending, or already cancelled because its setup fee was not paid. */
export function startLife(
  state: SubscriptionState,
  facts: AgreementFacts,
  now: Instant,
): SubscriptionTransitionResult {
  const { isReturnWaiting: _taken, isCancelWaiting: _late, ...rest } = withoutStep(state);
  const { agreementId, billing } = facts;
  // An unknown state counts as pending.
  const status = statusShown(facts.shown) ?? 'pending';
  const known = { ...enter(rest, status, now), agreementId, billing, lapsed: false };
  const reason = reasonOfStart(known);
  const begun = { ...known, ...(reason !== undefined && { reason }) };
  if (isTerminal(status)) return moved(closing(begun, now));
  return moved({ ...begun, ...(known.order.setupFeeMinor > 0 && { arePaymentsOwed: true }) });
}

/** Takes a read of an agreement. The provider's state is followed, unless the read is older than our records. */
export function observeAgreement(
  state: SubscriptionState,
  event: Omit<Extract<SubscriptionEvent, { type: 'agreementObserved' }>, 'type'>,
  now: Instant,
): SubscriptionTransitionResult {
  const { facts, book } = event;
  const other = isOtherAgreement(state, facts);
  if (other) return other;
  const status = statusShown(facts.shown);
  if (status === undefined || isFromBefore(state, facts, status, now)) return reportPayments(state, book);
  const read = event.withPayments ? withoutDebt(state) : withBook(state, book);
  const known = event.mayLackPayments ? owingBook(read, now) : read;
  if (status === state.status && isSame(facts.billing, state.billing)) {
    return observeUnchanged(state, known, book);
  }
  // After a change the waits between polls begin again.
  const seen = { ...enter(known, status, now), billing: facts.billing, polls: 0, lastPollAt: now };
  const reason = reasonOf(state, status, facts.billing);
  const next = { ...withoutOverdue(seen, state), ...(reason !== undefined && { reason }) };
  return moved(isTerminal(status) ? closing(next, now, book) : next);
}

/**
 * A lagging agreement shows nothing. Its payments are already recorded and must be reported now, because a later read
 * does not report them again.
 */
export function reportPayments(
  state: SubscriptionState,
  book: BookFacts | undefined,
): SubscriptionTransitionResult {
  return book?.told === undefined ? { kind: 'stale', state } : moved(state);
}

/** The agreement has not changed. Its payments may have, or a cycle may be overdue. */
function observeUnchanged(
  state: SubscriptionState,
  known: SubscriptionState,
  book: BookFacts | undefined,
): SubscriptionTransitionResult {
  const overdue = overdueReason(state);
  if (overdue !== undefined && overdue !== state.reason) return moved({ ...known, reason: overdue });
  return known === state && book?.told === undefined ? { kind: 'stale', state } : moved(known);
}

/** @returns a conflict if the read shows another agreement. */
export function isOtherAgreement(
  state: SubscriptionState,
  { agreementId }: AgreementFacts,
): SubscriptionTransitionResult | undefined {
  if (state.agreementId === agreementId) return undefined;
  const reason = `The provider shows agreement ${agreementId} instead of ${state.agreementId ?? 'none'}.`;
  return { kind: 'conflict', state, reason };
}

/**
 * True for a lagging read: it is older than the latest one, or contradicts a change of ours that it may not show yet.
 */
function isFromBefore(
  state: SubscriptionState,
  facts: AgreementFacts,
  shownStatus: ShownStatus,
  now: Instant,
): boolean {
  const { status, readsSettleAt } = state;
  if (isOlder(state, facts)) return true;
  // An end at the provider is never left, so no change of ours came after it.
  if (isTerminal(shownStatus) || shownStatus === status) return false;
  return readsSettleAt !== undefined && now < readsSettleAt;
}

/**
 * The state for the row: billing that the row shows from a later read stays. A run whose task was lost has not made that
 * read yet, and makes it again.
 */
export function withNewerBilling(state: SubscriptionState, inRow: SubscriptionState): SubscriptionState {
  const { billing: shown } = inRow;
  const isNewer = shown && (!state.billing || isOlder(inRow, { billing: state.billing }));
  return isNewer ? { ...state, billing: shown } : state;
}

export function isOlder(
  { billing }: SubscriptionState,
  { billing: shown }: Pick<AgreementFacts, 'billing'>,
): boolean {
  if (!billing) return false;
  if (shown.updatedAt !== undefined && shown.updatedAt < (billing.updatedAt ?? 0)) return true;
  return shown.cyclesCompleted < billing.cyclesCompleted;
}

/** The reason for the new state; undefined if the status is enough. */
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
 * The reason of an overdue cycle, once a read began at least the longest poll wait after the cycle's date; undefined
 * before.
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
