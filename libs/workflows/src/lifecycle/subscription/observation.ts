import { moneyText } from '../money.js';
import type { Instant } from '../lifecycle.js';
import { enter, moved, withoutStep } from './rules.js';
import {
  type AgreementFacts,
  type Billing,
  type SubscriptionDecision,
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

const feeUnpaid = 'The provider cancelled the agreement before it was active: its setup fee was not paid.';

/** The agreement is there; it may be active, pending, or cancelled already because its setup fee was not paid. */
export function startLife(
  state: SubscriptionState,
  facts: AgreementFacts,
  now: Instant,
): SubscriptionDecision {
  const { isReturnWaiting: _taken, ...rest } = withoutStep(state);
  const { agreementId, billing } = facts;
  // A state that we do not know is one in which the provider is still deciding.
  const status = statusShown(facts.shown) ?? 'pending';
  const known = { ...enter(rest, status, now), agreementId, billing, lapsed: false };
  const reason = reasonOfStart(known);
  return moved({
    ...known,
    ...(reason !== undefined && { reason }),
    ...(known.order.setupFeeMinor > 0 && { arePaymentsOwed: true }),
  });
}

/** What a read tells of an agreement: the provider's word is the truth, unless it is an old one. */
export function observeAgreement(
  state: SubscriptionState,
  { facts, withPayments }: { readonly facts: AgreementFacts; readonly withPayments?: boolean },
  now: Instant,
): SubscriptionDecision {
  if (state.agreementId !== facts.agreementId) {
    const reason = `The provider shows agreement ${facts.agreementId} instead of ${state.agreementId ?? 'none'}.`;
    return { kind: 'conflict', state, reason };
  }
  const status = statusShown(facts.shown);
  if (status === undefined || isFromBefore(state, facts, status, now)) return { kind: 'stale', state };
  const isPaid = state.arePaymentsOwed === true && withPayments === true;
  if (status === state.status && isSame(facts.billing, state.billing)) {
    return isPaid ? moved(withoutDebt(state)) : { kind: 'stale', state };
  }
  const known = isPaid ? withoutDebt(state) : state;
  // What has moved on is polled from anew.
  const seen = { ...enter(known, status, now), billing: facts.billing, polls: 0, lastPollAt: now };
  const reason = reasonOf(state, status, facts.billing);
  return moved(reason === undefined ? seen : { ...seen, reason });
}

/**
 * Reads may lag. One that is older than what was read before, or that contradicts a change of ours which it may not
 * show yet, tells nothing.
 */
function isFromBefore(
  { status, billing, readsSettleAt }: SubscriptionState,
  { billing: shown }: AgreementFacts,
  shownStatus: ShownStatus,
  now: Instant,
): boolean {
  if (billing && shown.updatedAt !== undefined && shown.updatedAt < (billing.updatedAt ?? 0)) return true;
  if (billing && shown.cyclesCompleted < billing.cyclesCompleted) return true;
  // An end is never left at the provider, so no change of ours can have come after it.
  if (isTerminal(shownStatus) || shownStatus === status) return false;
  return readsSettleAt !== undefined && now < readsSettleAt;
}

/** Why it stands where it now stands; undefined where the status says it all. */
function reasonOf(before: SubscriptionState, status: ShownStatus, shown: Billing): string | undefined {
  if (status === before.status) return reasonOfPayment(before, shown);
  if (before.status === 'pending' && status === 'active') return reasonOfPayment(before, shown);
  if (before.status === 'pending' && status === 'cancelled' && before.order.setupFeeMinor > 0)
    return feeUnpaid;
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
  if (status === 'cancelled' && order.setupFeeMinor > 0) return feeUnpaid;
  const outstandingMinor = billing?.outstandingMinor ?? 0;
  if (status !== 'active' || outstandingMinor === 0) return endings[status as ShownStatus];
  const outstanding = moneyText({ minor: outstandingMinor, currency: order.currency });
  return `The setup fee was not paid; ${outstanding} outstanding.`;
}

function withoutDebt({ arePaymentsOwed: _read, ...state }: SubscriptionState): SubscriptionState {
  return state;
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
