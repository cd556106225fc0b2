import { describe, expect, it } from 'vitest';
import { advance } from '#workflows/lifecycle';
import {
  bookReadSince,
  isAboutPayment,
  isBookOwed,
  mayLackFailure,
  restartFrom,
  subscriptionLifecycle,
  type SubscriptionEvent,
  type SubscriptionState,
  isAlreadyKnown,
  transition,
} from '#workflows/lifecycle/subscription';
import { nextDeadline } from '#workflows/lifecycle/subscription/deadlines.js';
import {
  after,
  billing,
  day,
  facts,
  inDoubt,
  inPhase,
  now,
  observed,
  order,
  orderedAt,
  patience,
  refunded,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

const settled = now + patience.outcomeHorizonMs;
const lastPaymentAt = billing.lastPaymentAt ?? 0;
const pollAt = (at: number) => ({ at, event: { type: 'pollCameDue' } });

/** Executed, with a setup fee. */
const begun = (setupFeeMinor: number) =>
  after(subscription('executing', { order: { ...order, setupFeeMinor } }), sampleEvents.agreementExecuted);

describe('the payments of a subscription', () => {
  const billed = { ...billing, cyclesCompleted: 3 };
  const { lastPaymentAt: _unpaid, ...neverPaid } = billing;

  it.each([
    ['not at all if nothing has changed', {}, billing, undefined],
    ['since the latest known one if a cycle was billed', {}, billed, lastPaymentAt],
    ['from the first on if none is known', { billing: neverPaid }, billed, orderedAt],
    ['from the first on if one may have changed', { arePaymentsOwed: true }, billing, orderedAt],
    ['from the first on while reads lag', { confirmAt: settled }, billing, orderedAt],
    ['since one that is pending for longer', { oldestPendingAt: lastPaymentAt - day }, billing, lastPaymentAt - day],
    ['since the latest known one, before a pending one', { oldestPendingAt: now }, billing, lastPaymentAt],
  ] as const)('are read %s', (_when, state: Partial<SubscriptionState>, shown, since) => {
    expect(bookReadSince(subscription('active', state), shown, orderedAt)).toBe(since);
  }); // prettier-ignore

  it.each([
    ['does not show a failed one if nothing has changed', false, {}, billing],
    ['does not show a failed one if a cycle was paid', false, {}, billed],
    ['may show a failed one', true, {}, { ...billed, failedPayments: 1, outstandingMinor: 900 }],
    ['may show a failed one that nobody owes', true, {}, { ...billed, failedPayments: 1 }],
    ['may show a failed setup fee', true, {}, { ...billing, outstandingMinor: 900 }],
    ['does not show a failed one if what was owed is paid', false, { billing: { ...billing, outstandingMinor: 900 } }, billed],
    ['does not show a failed one if what was owed is paid in part', false, { billing: { ...billing, outstandingMinor: 900 } },
      { ...billed, outstandingMinor: 400 }],
    ['does not show a failed one if as much is owed as before', false, { billing: { ...billing, outstandingMinor: 900 } },
      { ...billing, outstandingMinor: 900 }],
    ['does not show a failed one if the execution left nothing owed', false, { arePaymentsOwed: true }, billing],
  ] as const)('and their agreement: it %s, which a list can lack', (_what, may, state: Partial<SubscriptionState>, shown) => {
    expect(mayLackFailure(subscription('active', state), shown)).toBe(may);
  }); // prettier-ignore

  it('may have failed with the execution, until a list is confirmed', () => {
    const owing = { ...billing, outstandingMinor: 500 };
    const executed = subscription('active', { billing: owing, arePaymentsOwed: true });
    expect(mayLackFailure(executed, owing)).toBe(true);
    expect(mayLackFailure({ ...executed, confirmAt: settled }, owing)).toBe(false);
  });

  it('are read again, and once more when reads have settled, if a list may lack one', () => {
    const event = { type: 'agreementObserved', facts: facts('Active', billed), book: { hasPaid: true } } as const;
    const asked = subscription('active', { lastPollAt: now });
    const { state } = transition(asked, { ...event, mayLackPayments: true }, now);
    expect(nextDeadline(state)).toEqual(pollAt(now + patience.firstPollMs));
    const again = after(state, { type: 'pollCameDue' }, event);
    expect(nextDeadline({ ...again, lastPollAt: now })).toEqual(pollAt(settled));
    const last = transition({ ...again, lastPollAt: settled }, event, settled).state;
    expect(isBookOwed(last)).toBe(false);
  }); // prettier-ignore

  it('are read after an execution if there was a setup fee to pay', () => {
    expect(isBookOwed(begun(500))).toBe(true);
    expect(nextDeadline(begun(500))).toEqual(pollAt(now + patience.firstPollMs));
    expect(isBookOwed(begun(0))).toBe(false);
    expect(nextDeadline(begun(0))?.event.type).toBe('renewalCameDue');
  });

  it('are read at once after an end, and at the confirming read if they came with it', () => {
    const free = subscription('executing', { order: { ...order, setupFeeMinor: 0 } });
    const executed: SubscriptionEvent = { type: 'agreementExecuted', facts: facts('Cancelled') };
    expect(nextDeadline(after(free, executed))).toEqual(pollAt(now));
    expect(nextDeadline(after(subscription('cancelling'), { type: 'agreementCancelled' }))).toEqual(
      pollAt(now),
    );
    const shown = facts('Expired', { updatedAt: now });
    const active = subscription('active');
    expect(nextDeadline(after(active, { type: 'agreementObserved', facts: shown }))).toEqual(pollAt(now));
    expect(nextDeadline(observed(active, shown).state)).toEqual(pollAt(settled));
  });

  it('keep the run of an ended subscription while one of them is pending', () => {
    expect(isBookOwed(subscription('cancelled', { oldestPendingAt: now - day }))).toBe(true);
    expect(isBookOwed(subscription('cancelled'))).toBe(false);
  });

  it('never keep the run of a subscription that was restarted and cancelled before its approval', () => {
    const again = restartFrom({ state: subscription('awaiting_approval'), version: 7 }, now).position.state;
    expect(isBookOwed(after(again, { type: 'payerCancelled' }))).toBe(false);
  });

  it('are read no more once a read of an older history had them', () => {
    const reported = after(subscription('active'), refunded);
    const event = { type: 'agreementObserved', facts: facts('Active'), withPayments: true } as const;
    const { state } = transition(reported, event, now);
    expect(state).toMatchObject({ status: 'active', agreementId: 'I-1' });
    expect(state).not.toHaveProperty('arePaymentsOwed');
  });
});

describe('a change of a payment', () => {
  const reported = 'A payment of 9.00 USD is refunded.';

  it.each(['active', 'cancelled'] as const)(
    'is in the timeline of one that is %s although nothing else has changed',
    (status) => {
      const pending = { oldestPendingAt: now - day };
      const state = subscription(status, { ...pending, confirmAt: settled });
      const book = { hasPaid: true, ...pending, told: reported };
      const shown = facts(status === 'active' ? 'Active' : 'Cancelled');
      const event = { type: 'agreementObserved', facts: shown, book } as const;
      expect(advance(subscriptionLifecycle, { state, version: 4 }, event, now).entry?.detail).toBe(reported);
    },
  );

  it.each([
    ['a change under way', subscription('suspending'), {}],
    ['a change that is put off', inPhase(subscription('cancelling'), 'retry'), {}],
    ['a change in doubt', inDoubt(subscription('suspending')), { effect: { type: 'lookUp' } }],
  ])('is remembered during %s', (_what, state, effect) => {
    const result = transition(state, refunded, now);
    expect(result).toMatchObject({ kind: 'moved', state: { arePaymentsOwed: true }, ...effect });
  });

  it('is news of a refund or a denial, however old, and none of the agreement', () => {
    const event = { kind: 'sale', id: 'S-1', state: 'denied', updatedAt: now - 2 * day } as const;
    expect(isAlreadyKnown(subscription('active'), event)).toBe(false);
    const events = [event, { ...event, kind: 'refund', state: 'completed' }, { ...event, kind: 'agreement' }];
    expect((events as (typeof event)[]).map(isAboutPayment)).toEqual([true, true, false]);
  });
});
