import { describe, expect, it } from 'vitest';
import { advance } from '#workflows/lifecycle';
import { feeUnclear } from '#workflows/lifecycle/subscription/rules.js';
import {
  type Billing,
  subscriptionLifecycle,
  type SubscriptionEvent,
  type SubscriptionState,
  transition,
} from '#workflows/lifecycle/subscription';
import {
  after,
  billing,
  day,
  facts,
  now,
  observed,
  order,
  patience,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

const settled = now + patience.outcomeHorizonMs;
const known = (status: 'active' | 'suspended', before: Partial<Billing>, reason?: string) =>
  subscription(status, { billing: { ...billing, ...before }, ...(reason !== undefined && { reason }) });

const begun = (shown: string, outstandingMinor: number) =>
  after(subscription('executing'), { type: 'agreementExecuted', facts: facts(shown, { outstandingMinor }) });
const detail = (state: SubscriptionState, event: SubscriptionEvent) =>
  advance(subscriptionLifecycle, { state, version: 4 }, event, now).entry?.detail;

describe('what is said of a payment', () => {
  it.each([
    ['of one that failed before its debt shows', {}, { failedPayments: 1 }, 'A payment failed; 0.00 USD outstanding.'],
    ['of a debt before the failure shows', {}, { outstandingMinor: 900 }, 'A payment failed; 9.00 USD outstanding.'],
    ['of a debt paid in part', { outstandingMinor: 900 }, { outstandingMinor: 400 }, '4.00 USD outstanding.'],
    ['of a cycle that was paid beside an old debt', { outstandingMinor: 900, failedPayments: 1 },
      { outstandingMinor: 900, failedPayments: 1, cyclesCompleted: 3 }, 'Cycle 3 was billed.'],
  ] as const)('is right %s', (_what, before, shown, reason) => {
    const { state } = observed(known('active', before), facts('Active', { updatedAt: now, ...shown }));
    expect(state.reason).toBe(reason);
  }); // prettier-ignore

  it.each([
    ['cyclesCompleted', 3],
    ['cyclesRemaining', 9],
    ['nextBillingAt', now + 2 * day],
    ['finalPaymentAt', now + 300 * day],
    ['lastPaymentAt', now],
    ['lastPaymentMinor', 900],
    ['outstandingMinor', 900],
    ['failedPayments', 1],
  ] as const)('follows the agreement when only its %s has changed', (field, value) => {
    const { state } = observed(subscription('active'), facts('Active', { updatedAt: now, [field]: value }));
    expect(state.billing).toMatchObject({ [field]: value });
  });

  it('stays while nothing contradicts it', () => {
    const failed = known('active', {}, 'A payment failed; 9.00 USD outstanding.');
    const moved = facts('Active', { updatedAt: now, nextBillingAt: now + 2 * day });
    expect(observed(failed, moved).state.reason).toBe(failed.reason);
    expect(observed(failed, facts('Active')).kind).toBe('stale');
  });

  it('is no overdue cycle of one that is suspended, or whose date the provider does not show', () => {
    const late = (billing.nextBillingAt ?? 0) + patience.longestPollMs;
    expect(observed({ ...subscription('suspended'), lastPollAt: late }, facts('Suspended'), late).kind).toBe(
      'stale',
    );
    const { nextBillingAt: _unreported, ...dateless } = billing;
    const state = subscription('active', { billing: dateless, lastPollAt: late });
    const shown = { agreementId: 'I-1', shown: 'Active', billing: dateless };
    expect(observed(state, shown, late).kind).toBe('stale');
  });
});

describe('what is said of a status', () => {
  it('is nothing of a fee when an agreement begins and owes none, or is still pending', () => {
    expect([begun('Active', 0).reason, begun('Pending', 500).reason]).toEqual([undefined, undefined]);
    expect(begun('Cancelled', 0).reason).toBe(feeUnclear);
  });

  it.each([
    ['pending', 'Active', undefined],
    ['pending', 'Suspended', 'The agreement was suspended at the provider.'],
    ['pending', 'Expired', 'The last cycle has been billed.'],
    ['pending', 'Cancelled', feeUnclear],
    ['active', 'Suspended', 'The agreement was suspended at the provider.'],
    ['active', 'Cancelled', 'The agreement was cancelled at the provider.'],
    ['suspended', 'Active', 'The agreement was reactivated at the provider.'],
  ] as const)('that was %s and is shown as %s: %s', (status, shown, reason) => {
    expect(observed(subscription(status), facts(shown, { updatedAt: now })).state.reason).toBe(reason);
  });

  it('is nothing of a setup fee if there was none', () => {
    const free = { order: { ...order, setupFeeMinor: 0 } };
    const executed = after(subscription('executing', free), {
      type: 'agreementExecuted',
      facts: facts('Cancelled'),
    });
    const read = observed(subscription('pending', free), facts('Cancelled', { updatedAt: now })).state;
    const reason = 'The agreement was cancelled at the provider.';
    expect([executed.reason, read.reason]).toEqual([reason, reason]);
  });

  it('is nothing of a setup fee when one that was active has ended', () => {
    const reason = 'The agreement was cancelled at the provider.';
    const ended = subscription('cancelled', { reason, arePaymentsOwed: true });
    expect(observed(ended, facts('Cancelled')).state.reason).toBe(reason);
  });

  it('leaves open whether the setup fee was paid while its payment is pending, or was not read', () => {
    const ended = subscription('cancelled', { reason: feeUnclear, confirmAt: settled, lastPollAt: settled });
    const read = (details: object): SubscriptionState =>
      transition(ended, { type: 'agreementObserved', facts: facts('Cancelled'), ...details }, settled).state;
    expect(read({ book: { hasPaid: false, oldestPendingAt: now } }).reason).toBe(feeUnclear);
    expect(read({}).reason).toBe(feeUnclear);
  });

  it('is the caller’s note or the operator’s decision in the timeline, and nothing of a mere read', () => {
    const { suspendRequested, reactivateRequested, cancelRequested, reviewDecided } = sampleEvents;
    expect(detail(subscription('active'), suspendRequested)).toBe('x');
    expect(detail(subscription('suspended'), reactivateRequested)).toBe('x');
    expect(detail(subscription('active'), cancelRequested)).toBe('x');
    expect(detail(subscription('needs_review'), reviewDecided)).toContain('seen');
    const unfounded = { ...sampleEvents.approvalFoundMissing, isCancelUnfounded: true } as const;
    expect(detail(subscription('executing', { isCancelWaiting: true }), unfounded)).toBe(
      'A cancellation that no payer has asked for is ignored.',
    );
    expect(detail(subscription('executing'), sampleEvents.approvalFoundMissing)).toBeUndefined();
    expect(detail(subscription('active'), sampleEvents.agreementObserved)).toBe(
      'The agreement was suspended at the provider.',
    );
  });
});
