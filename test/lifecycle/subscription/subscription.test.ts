import { describe, expect, it } from 'vitest';
import { nextDeadline } from '../../../libs/workflows/src/lifecycle/subscription/deadlines.js';
import {
  lookBeforeRefusal,
  takeUpAgain,
} from '../../../libs/workflows/src/lifecycle/subscription/lifecycle.js';
import {
  isAboutPayment,
  tellsNothingNew,
} from '../../../libs/workflows/src/lifecycle/subscription/notification.js';
import type {
  AgreementFacts,
  SubscriptionEvent,
  SubscriptionState,
} from '../../../libs/workflows/src/lifecycle/subscription/subscription.js';
import { decide } from '../../../libs/workflows/src/lifecycle/subscription/transition.js';
import {
  billing,
  day,
  facts,
  now,
  order,
  patience,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

function observed(state: SubscriptionState, seen: AgreementFacts, at = now) {
  return decide(state, { type: 'agreementObserved', facts: seen, withPayments: true }, at);
}

function after(state: SubscriptionState, ...events: SubscriptionEvent[]): SubscriptionState {
  return events.reduce((before, event) => decide(before, event, now).state, state);
}

describe('what a read tells', () => {
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
    const { updatedAt: _untold, ...undated } = billing;
    expect(observed(state, { agreementId: 'I-1', shown: 'Suspended', billing: undated }).state.status).toBe(
      'suspended',
    );
  });

  it('does not undo our own change as long as reads may lag, and is asked again after that', () => {
    const suspended = after(subscription('suspending'), { type: 'agreementSuspended' });
    expect(observed(suspended, facts('Active')).kind).toBe('stale');
    expect(nextDeadline(suspended)).toEqual({
      at: now + patience.firstPollMs,
      event: { type: 'pollCameDue' },
    });
    const settled = now + patience.outcomeHorizonMs;
    const later = { ...suspended, polls: 10, lastPollAt: now };
    expect(nextDeadline(later)).toEqual({ at: settled, event: { type: 'pollCameDue' } });
    const asked = decide(later, { type: 'pollCameDue' }, settled).state;
    expect(observed(asked, facts('Active', { updatedAt: now }), settled).state).toMatchObject({
      status: 'active',
      reason: 'The agreement was reactivated at the provider.',
    });
  });

  it('takes an end at once, also right after our own change: the provider never leaves one', () => {
    const reactivated = after(subscription('reactivating'), { type: 'agreementReactivated' });
    const seen = observed(reactivated, facts('Expired', { updatedAt: now, cyclesCompleted: 12 }));
    expect(seen.state.status).toBe('expired');
  });

  it('is a conflict about another agreement', () => {
    expect(observed(subscription('active'), { ...facts('Active'), agreementId: 'I-2' }).kind).toBe(
      'conflict',
    );
  });

  it('tells that the last cycle has been billed', () => {
    const { state } = observed(
      subscription('active'),
      facts('Expired', { updatedAt: now, cyclesCompleted: 12 }),
    );
    expect(state).toMatchObject({ status: 'expired', billing: { cyclesCompleted: 12 } });
    expect(nextDeadline(state)).toBeUndefined();
  });

  it('is owed a payment’s book until the payments have been read along', () => {
    const told = after(subscription('active'), {
      type: 'providerNotified',
      eventType: 'PAYMENT.SALE.REFUNDED',
      isAboutPayment: true,
    });
    expect(told.arePaymentsOwed).toBe(true);
    expect(decide(told, { type: 'agreementObserved', facts: facts('Active') }, now).kind).toBe('stale');
    expect(observed(told, facts('Active')).state).not.toHaveProperty('arePaymentsOwed');
  });
});

describe('the beginning of a subscription', () => {
  it('says that the setup fee is owed, or that it has ended the agreement', () => {
    const executing = subscription('executing');
    const owing = decide(
      executing,
      { type: 'agreementExecuted', facts: facts('Active', { outstandingMinor: 500 }) },
      now,
    );
    expect(owing.state).toMatchObject({
      status: 'active',
      reason: 'The setup fee was not paid; 5.00 USD outstanding.',
    });
    const ended = decide(executing, { type: 'agreementExecuted', facts: facts('Cancelled') }, now);
    expect(ended.state.status).toBe('cancelled');
    expect(ended.state.reason).toContain('setup fee');
    const denied = observed(subscription('pending'), facts('Cancelled', { updatedAt: now }));
    expect(denied.state.reason).toContain('setup fee');
  });

  it('takes a state that it does not know for one in which the provider is still deciding', () => {
    const executing = subscription('executing');
    expect(decide(executing, { type: 'agreementExecuted', facts: facts('Frozen') }, now).state.status).toBe(
      'pending',
    );
    expect(observed(subscription('active'), facts('Frozen', { updatedAt: now })).kind).toBe('stale');
  });

  it('lapses at the last try, and not while the payer stands at the door', () => {
    const missing = sampleEvents.approvalFoundMissing;
    const lastTry = after(subscription('awaiting_approval'), { type: 'approvalTimedOut' });
    expect(after(lastTry, missing).status).toBe('lapsed');
    expect(after(lastTry, { type: 'payerApproved' }, missing)).toMatchObject({
      status: 'executing',
      openStep: { number: 4 },
    });
    expect(after(subscription('executing'), { ...missing, isOver: true }).status).toBe('lapsed');
  });

  it('tries with widening waits whether a silent payer has approved, and not more rarely than the longest', () => {
    const awaiting = subscription('awaiting_approval', {
      lastPollAt: now,
      order: { ...order, approvalBy: now + day },
    });
    const waits = [0, 1, 5, 7, 20].map(
      (approvalPolls) => (nextDeadline({ ...awaiting, approvalPolls })?.at ?? 0) - now,
    );
    const { longestPollMs } = patience;
    expect(waits).toEqual([30_000, 60_000, 960_000, longestPollMs, longestPollMs]);
    expect(nextDeadline({ ...awaiting, approvalPolls: 20, lastPollAt: now + day - 1 })).toEqual({
      at: now + day,
      event: { type: 'approvalTimedOut' },
    });
  });

  it('gives up an agreement that cannot be prepared, and never calls an execution undone without proof', () => {
    const last = subscription('creating');
    const tired = {
      ...last,
      openStep: { ...last.openStep, attempts: patience.maxAttempts },
    } as SubscriptionState;
    expect(after(tired, { type: 'creationLost' })).toMatchObject({ status: 'declined' });
    const doubtful = after(subscription('executing'), sampleEvents.outcomeUnknown);
    const { state } = decide(doubtful, { type: 'lookInconclusive' }, now + patience.reviewAfterMs);
    expect(state).toMatchObject({ status: 'needs_review', openStep: { phase: 'doubt' } });
    expect(decide(state, sampleEvents.agreementExecuted, now).state.status).toBe('active');
  });
});

describe('the clock of a subscription', () => {
  it('waits for the next renewal, and asks again with widening waits while the provider is late', () => {
    const active = subscription('active', { lastPollAt: now });
    const due = (billing.nextBillingAt ?? 0) + patience.firstPollMs;
    expect(nextDeadline(active)).toEqual({ at: due, event: { type: 'renewalCameDue' } });
    const late = decide(active, { type: 'renewalCameDue' }, due).state;
    expect(nextDeadline(late)?.at).toBe(due + 2 * patience.firstPollMs);
    expect(nextDeadline({ ...late, polls: 30 })?.at).toBe(due + patience.longestPollMs);
  });

  it('asks a provider that told of no date, and one that a read has failed at', () => {
    const { nextBillingAt: _untold, ...dateless } = billing;
    expect(nextDeadline(subscription('active', { billing: dateless, lastPollAt: now }))?.event.type).toBe(
      'pollCameDue',
    );
    const owed = after(subscription('active', { lastPollAt: now }), { type: 'observationFailed' });
    expect(nextDeadline(owed)).toEqual({ at: now + patience.firstPollMs, event: { type: 'pollCameDue' } });
  });

  it('goes on from the rows with a read due at once, or with its step under the same name', () => {
    const again = takeUpAgain({ state: subscription('active'), version: 7 }, now);
    expect(again).toMatchObject({ position: { version: 8 }, entry: { event: 'runRestarted' } });
    expect(nextDeadline(again.position.state)).toEqual({ at: now, event: { type: 'pollCameDue' } });
    const step = takeUpAgain({ state: subscription('suspending'), version: 7 }, now).position.state;
    expect(nextDeadline(step)).toEqual({ at: now, event: { type: 'stepCameDue' } });
  });
});

describe('what is told and asked', () => {
  it('looks before it turns a request away that the rows may have let through', () => {
    const refused = sampleEvents.reactivateRequested;
    expect(lookBeforeRefusal(subscription('active'), refused, now)).toEqual({ type: 'observe' });
    expect(lookBeforeRefusal(subscription('awaiting_approval'), refused, now)).toBeUndefined();
    expect(lookBeforeRefusal(subscription('suspending'), refused, now)).toBeUndefined();
    const doubtful = after(subscription('suspending'), sampleEvents.outcomeUnknown);
    expect(lookBeforeRefusal(doubtful, refused, now)?.type).toBe('lookUp');
    expect(lookBeforeRefusal(subscription('active'), sampleEvents.suspendRequested, now)).toBeUndefined();
    expect(lookBeforeRefusal(subscription('cancelled'), refused, now)).toBeUndefined();
  });

  it('is not woken by an event of what it has read already', () => {
    const state = subscription('active');
    const agreement = { kind: 'agreement', id: 'I-1', state: 'Active' } as const;
    expect(tellsNothingNew(state, { ...agreement, updatedAt: now - day })).toBe(true);
    expect(tellsNothingNew(state, { ...agreement, updatedAt: now })).toBe(false);
    expect(tellsNothingNew(state, agreement)).toBe(false);
    const sale = { kind: 'sale', id: 'S-1', state: 'completed', updatedAt: now - day } as const;
    expect(tellsNothingNew(state, sale)).toBe(true);
    expect(tellsNothingNew({ ...state, arePaymentsOwed: true }, sale)).toBe(false);
    expect(tellsNothingNew(state, { ...sale, kind: 'refund' })).toBe(false);
    expect([isAboutPayment(sale), isAboutPayment({ ...sale, state: 'denied' })]).toEqual([false, true]);
  });
});
