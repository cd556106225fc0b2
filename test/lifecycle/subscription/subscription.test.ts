import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/subscription/deadlines.js';
import { lookBeforeRefusal, restartFrom } from '#workflows/lifecycle/subscription/lifecycle.js';
import {
  isAboutPayment,
  isAlreadyKnown,
  type SubscriptionState,
  transition,
} from '#workflows/lifecycle/subscription';
import {
  after,
  billing,
  day,
  facts,
  inDoubt,
  inPhase,
  now,
  observed,
  patience,
  refunded,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

function asked(state: SubscriptionState, at: number): SubscriptionState {
  return transition(state, { type: 'renewalCameDue' }, at).state;
}

describe('what a read shows', () => {
  it('counts a cycle, a failed payment and its recovery, in words', () => {
    const billed = observed(
      subscription('active'),
      facts('Active', { updatedAt: now, cyclesCompleted: 3, nextBillingAt: now + 31 * day }),
    );
    expect(billed.state).toMatchObject({ status: 'active', reason: 'Cycle 3 was billed.' });
    const failed = observed(
      billed.state,
      facts('Active', { updatedAt: now + 1, cyclesCompleted: 4, outstandingMinor: 1_000, failedPayments: 1 }),
    );
    expect(failed.state).toMatchObject({
      status: 'active',
      reason: 'A payment failed; 10.00 USD outstanding.',
    });
    const paid = observed(failed.state, facts('Active', { updatedAt: now + 2, cyclesCompleted: 5 }));
    expect(paid.state.reason).toBe('What was outstanding has been paid.');
  });

  it('does not go back: an older read, or one with fewer cycles, tells nothing', () => {
    const state = subscription('active');
    expect(observed(state, facts('Suspended', { updatedAt: now - 2 * day })).kind).toBe('stale');
    expect(observed(state, facts('Suspended', { updatedAt: now, cyclesCompleted: 1 })).kind).toBe('stale');
    const { updatedAt: _unreported, ...undated } = billing;
    expect(observed(state, { agreementId: 'I-1', shown: 'Suspended', billing: undated }).state.status).toBe(
      'suspended',
    );
  });

  it('does not undo our own change while reads may lag, and is repeated after that', () => {
    const suspended = after(subscription('suspending'), { type: 'agreementSuspended' });
    expect(observed(suspended, facts('Active')).kind).toBe('stale');
    expect(nextDeadline(suspended)).toEqual({
      at: now + patience.firstPollMs,
      event: { type: 'pollCameDue' },
    });
    const settled = now + patience.outcomeHorizonMs;
    const later = { ...suspended, polls: 10, lastPollAt: now };
    expect(nextDeadline(later)).toEqual({ at: settled, event: { type: 'pollCameDue' } });
    const asked = transition(later, { type: 'pollCameDue' }, settled).state;
    expect(observed(asked, facts('Active', { updatedAt: now }), settled).state).toMatchObject({
      status: 'active',
      reason: 'The agreement was reactivated at the provider.',
    });
  });

  it('includes an end at once, even right after our own change: the provider never leaves one', () => {
    const reactivated = after(subscription('reactivating'), { type: 'agreementReactivated' });
    const seen = observed(reactivated, facts('Expired', { updatedAt: now, cyclesCompleted: 12 }));
    expect(seen.state.status).toBe('expired');
  });

  it('is a conflict about another agreement', () => {
    expect(observed(subscription('active'), { ...facts('Active'), agreementId: 'I-2' }).kind).toBe(
      'conflict',
    );
  });

  it('includes that the last cycle has been billed', () => {
    const { state } = observed(
      subscription('active'),
      facts('Expired', { updatedAt: now, cyclesCompleted: 12 }),
    );
    expect(state).toMatchObject({ status: 'expired', billing: { cyclesCompleted: 12 } });
  });

  it('needs a read of the payments, and another one when reads no longer lag', () => {
    const reported = after(subscription('active'), refunded);
    expect(reported.arePaymentsOwed).toBe(true);
    expect(transition(reported, { type: 'agreementObserved', facts: facts('Active') }, now).kind).toBe(
      'stale',
    );
    const read = observed(reported, facts('Active')).state;
    expect(read).not.toHaveProperty('arePaymentsOwed');
    const settled = now + patience.outcomeHorizonMs;
    expect(nextDeadline(read)).toEqual({ at: settled, event: { type: 'pollCameDue' } });
    const again = transition(read, { type: 'pollCameDue' }, settled).state;
    expect(observed(again, facts('Active'), settled).state).not.toHaveProperty('confirmAt');
  });

  it.each([
    ['a change in doubt', inDoubt(subscription('suspending'))],
    ['a change before a person', { ...inDoubt(subscription('suspending')), status: 'needs_review' as const }],
    ['a change that is put off', inPhase(subscription('cancelling'), 'retry')],
  ])('is still owed after %s if a payment was reported meanwhile', (_what, state) => {
    const hinted = after(state, refunded);
    expect(hinted).toMatchObject({ arePaymentsOwed: true, status: state.status });
    const declined = after(hinted, sampleEvents.stepDeclined);
    expect(nextDeadline(declined)?.event.type).toBe('pollCameDue');
    expect(observed(declined, facts('Active', { updatedAt: now })).state).not.toHaveProperty(
      'arePaymentsOwed',
    );
  });

  it('leads to polls of a pending payment until it has ended', () => {
    const active = subscription('active', { lastPollAt: now });
    const pending = { hasPaid: true, oldestPendingAt: now - day };
    const seen = transition(
      active,
      { type: 'agreementObserved', facts: facts('Active'), book: pending },
      now,
    ).state;
    expect(nextDeadline(seen)).toEqual({ at: now + patience.firstPollMs, event: { type: 'pollCameDue' } });
    const sale = { kind: 'sale', id: 'S-1', state: 'completed', updatedAt: now - 2 * day } as const;
    expect(isAlreadyKnown(seen, sale)).toBe(false);
    expect(observed(seen, facts('Active')).state).not.toHaveProperty('oldestPendingAt');
  });

  it('says once that a cycle has not been billed, and no longer when it is', () => {
    const dueAt = billing.nextBillingAt ?? 0;
    const late = dueAt + patience.longestPollMs;
    const early = asked(subscription('active'), late - 1);
    expect(observed(early, facts('Active'), late).kind).toBe('stale');
    const overdue = observed(asked(early, late), facts('Active'), late);
    expect(overdue.state.reason).toBe(
      `The cycle that was due at ${new Date(dueAt).toISOString()} has not been billed.`,
    );
    expect(observed(asked(overdue.state, late + 1), facts('Active'), late + 1).kind).toBe('stale');
    const moved = facts('Active', { updatedAt: late, nextBillingAt: dueAt + 30 * day });
    expect(observed(overdue.state, moved, late).state).not.toHaveProperty('reason');
    const billed = facts('Active', { updatedAt: late, cyclesCompleted: 3, nextBillingAt: dueAt + 30 * day });
    expect(observed(overdue.state, billed, late).state.reason).toBe('Cycle 3 was billed.');
  });
});

describe('the deadlines of a subscription', () => {
  it('wait for the next renewal, and then poll at growing intervals while the provider is late', () => {
    const active = subscription('active', { lastPollAt: now });
    const due = (billing.nextBillingAt ?? 0) + patience.firstPollMs;
    expect(nextDeadline(active)).toEqual({ at: due, event: { type: 'renewalCameDue' } });
    const late = transition(active, { type: 'renewalCameDue' }, due).state;
    expect(nextDeadline(late)?.at).toBe(due + 2 * patience.firstPollMs);
    expect(nextDeadline({ ...late, polls: 30 })?.at).toBe(due + patience.longestPollMs);
  });

  it('poll a provider that showed no date, and one whose read has failed', () => {
    const { nextBillingAt: _unreported, ...dateless } = billing;
    expect(nextDeadline(subscription('active', { billing: dateless, lastPollAt: now }))?.event.type).toBe(
      'pollCameDue',
    );
    const owed = after(subscription('active', { lastPollAt: now }), { type: 'observationFailed' });
    expect(nextDeadline(owed)).toEqual({ at: now + patience.firstPollMs, event: { type: 'pollCameDue' } });
  });

  it('wait for the next renewal again after a read that succeeds, and after a change', () => {
    const failed = after(subscription('active', { lastPollAt: now }), { type: 'observationFailed' });
    const due = (billing.nextBillingAt ?? 0) + patience.firstPollMs;
    expect(nextDeadline({ ...after(failed, { type: 'pollCameDue' }), polls: 0 })).toEqual({
      at: due,
      event: { type: 'renewalCameDue' },
    });
    const late = subscription('active', { lastPollAt: now, polls: 9 });
    const billed = observed(late, facts('Active', { updatedAt: now, cyclesCompleted: 3 })).state;
    expect(nextDeadline(billed)?.at).toBe(due);
    const elsewhere = observed(late, facts('Suspended', { updatedAt: now })).state;
    const again = observed({ ...elsewhere, polls: 9 }, facts('Active', { updatedAt: now + 1 })).state;
    expect([elsewhere, again].map(({ polls }) => polls)).toEqual([0, 0]);
    expect(after({ ...subscription('cancelling'), polls: 9 }, sampleEvents.stepDeclined).polls).toBe(0);
  });

  it('continue from the rows with a read that is due at once, or with the step under the same name', () => {
    const again = restartFrom({ state: subscription('active'), version: 7 }, now);
    expect(again).toMatchObject({ position: { version: 8 }, entry: { event: 'runRestarted' } });
    expect(nextDeadline(again.position.state)).toEqual({ at: now, event: { type: 'pollCameDue' } });
    // What the lost run was told of payments, and had not read yet.
    expect(again.position.state.arePaymentsOwed).toBe(true);
    const step = restartFrom({ state: subscription('suspending'), version: 7 }, now).position.state;
    expect(nextDeadline(step)).toEqual({ at: now, event: { type: 'stepCameDue' } });
    expect(step.arePaymentsOwed).toBe(true);
  });
});

describe('messages and requests', () => {
  it('cause a read before a request is refused that the rows may have accepted', () => {
    const refused = sampleEvents.reactivateRequested;
    expect(lookBeforeRefusal(subscription('active'), refused, now)).toEqual({ type: 'observe' });
    expect(lookBeforeRefusal(subscription('awaiting_approval'), refused, now)).toBeUndefined();
    expect(lookBeforeRefusal(subscription('suspending'), refused, now)).toBeUndefined();
    const doubtful = after(subscription('suspending'), sampleEvents.outcomeUnknown);
    expect(lookBeforeRefusal(doubtful, refused, now)?.type).toBe('lookUp');
    expect(lookBeforeRefusal(subscription('active'), sampleEvents.suspendRequested, now)).toBeUndefined();
    expect(lookBeforeRefusal(subscription('cancelled'), refused, now)).toBeUndefined();
  });

  it('do not move it by an event of what it has read already', () => {
    const state = subscription('active');
    const agreement = { kind: 'agreement', id: 'I-1', state: 'Active' } as const;
    expect(isAlreadyKnown(state, { ...agreement, updatedAt: now - day })).toBe(true);
    expect(isAlreadyKnown(state, { ...agreement, updatedAt: now })).toBe(false);
    expect(isAlreadyKnown(state, agreement)).toBe(false);
    const sale = { kind: 'sale', id: 'S-1', state: 'completed', updatedAt: now - day } as const;
    expect(isAlreadyKnown(state, sale)).toBe(true);
    expect(isAlreadyKnown({ ...state, arePaymentsOwed: true }, sale)).toBe(false);
    expect(isAlreadyKnown(state, { ...sale, kind: 'refund' })).toBe(false);
    expect([isAboutPayment(sale), isAboutPayment({ ...sale, state: 'denied' })]).toEqual([false, true]);
  });
});
