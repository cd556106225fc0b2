import { describe, expect, it } from 'vitest';
import {
  allowedActions,
  nameOfStep,
  orderedSubscription,
  type SubscriptionStep,
  transition,
} from '#workflows/lifecycle/subscription';
import { nextDeadline } from '#workflows/lifecycle/subscription/deadlines.js';
import {
  after,
  day,
  facts,
  inDoubt,
  now,
  observed,
  onLastAttempt,
  order,
  patience,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

const settled = now + patience.outcomeHorizonMs;

describe('a change of ours', () => {
  it('is not undone by a lagging read that was asked for after it', () => {
    const reactivated = after(subscription('reactivating'), { type: 'agreementReactivated' });
    expect(observed(reactivated, facts('Suspended', { updatedAt: now })).kind).toBe('stale');
    expect(observed(reactivated, { ...facts('Suspended') }, settled - 1).kind).toBe('stale');
    const lagging = { type: 'agreementObserved', facts: facts('Suspended') } as const;
    expect(transition(reactivated, lagging, now).kind).toBe('stale');
    const dated = observed(reactivated, facts('Active', { updatedAt: now, nextBillingAt: now + 9 * day }));
    expect(dated.state.billing?.nextBillingAt).toBe(now + 9 * day);
  });

  it('is undone by a read once none lags, and causes one poll then, not one after the other', () => {
    const suspended = after(subscription('suspending'), { type: 'agreementSuspended' });
    expect(observed(suspended, facts('Active', { updatedAt: now }), settled).state.status).toBe('active');
    const asked = transition(suspended, { type: 'pollCameDue' }, settled).state;
    expect(nextDeadline(asked)?.at).toBeGreaterThan(settled);
  });

  it.each([
    ['suspendRequested', 'active'],
    ['cancelRequested', 'active'],
    ['reactivateRequested', 'suspended'],
    ['cancelRequested', 'suspended'],
  ] as const)('that is refused leaves it where it was: %s in %s', (request, status) => {
    const refused = after(subscription(status), sampleEvents[request], sampleEvents.stepDeclined);
    expect(refused.status).toBe(status);
  });

  it.each([
    ['suspendRequested', 'active'],
    ['cancelRequested', 'active'],
    ['reactivateRequested', 'suspended'],
    ['cancelRequested', 'suspended'],
  ] as const)('is sent under its own command with its note: %s in %s', (request, status) => {
    const { effect } = transition(subscription(status), sampleEvents[request], now) as { effect: unknown };
    expect(effect).toMatchObject({ type: 'perform', step: { commandId: 'cmd_3', note: 'x', from: status } });
  });

  it('that is given up leaves it where it was, with the reason', () => {
    const undone = sampleEvents.stepProvedUndone;
    const suspending = transition(onLastAttempt(inDoubt(subscription('suspending'))), undone, now);
    expect(suspending).toMatchObject({ state: { status: 'active' }, effect: { type: 'observe' } });
    expect(suspending.state.reason).toMatch(/proved that the suspension did not happen/);
  });
});

describe('what a caller may ask', () => {
  it.each([
    ['awaiting_approval', ['cancel']],
    ['executing', []],
    ['pending', []],
    ['active', ['suspend', 'cancel']],
    ['suspending', []],
    ['suspended', ['reactivate', 'cancel']],
    ['cancelled', []],
  ] as const)('of a subscription that is %s: %j', (status, actions) => {
    expect(allowedActions(subscription(status), now)).toEqual(actions);
  });

  it.each([
    ['suspendRequested', 'does not suspend'],
    ['reviewDecided', 'is not under review'],
  ] as const)('is refused with a code and the reason in every other state: %s', (type, words) => {
    expect(transition(subscription('pending'), sampleEvents[type], now)).toMatchObject({
      refusal: { code: 'not_allowed_in_state', reason: `A subscription that is pending ${words}.` },
    });
  });

  it('is a check, which reads at once and puts no poll off', () => {
    const check = { type: 'providerNotified', eventType: 'check', isCheck: true } as const;
    expect(transition(subscription('active', { readOwed: true }), check, now)).toEqual({
      kind: 'moved',
      state: subscription('active'),
      effect: { type: 'observe' },
    });
  });
});

describe('a subscription on its way', () => {
  it('begins with the creation of its agreement, and keeps where the payer approves it', () => {
    const ordered = orderedSubscription(order, now);
    expect(ordered).toMatchObject({ status: 'creating', openStep: { step: { type: 'createAgreement' } } });
    const { token, approvalUrl } = sampleEvents.agreementCreated;
    const created = after(ordered, sampleEvents.agreementCreated);
    expect(created).toMatchObject({ status: 'awaiting_approval', order, token, approvalUrl });
  });

  it('has the same names of its executions for good: a retry under another one would be sent beside the first', () => {
    const created = after(orderedSubscription(order, now), sampleEvents.agreementCreated);
    const executed = after(created, { type: 'payerApproved' });
    const again = after(executed, sampleEvents.approvalFoundMissing, { type: 'payerApproved' });
    expect([executed, again].map(({ openStep }) => openStep && nameOfStep(openStep))).toEqual([
      'execute-2',
      'execute-3',
    ]);
  });

  it('is executed at growing intervals for a payer who does not return', () => {
    const tried = after(
      subscription('awaiting_approval'),
      { type: 'pollCameDue' },
      sampleEvents.approvalFoundMissing,
    );
    const waiting = { ...tried, order: { ...order, approvalBy: now + day } };
    expect(nextDeadline(waiting)?.at).toBe(now + 2 * patience.firstPollMs);
  });

  it('is read at growing intervals while the provider decides', () => {
    const reads = [0, 1, 30].map((polls) =>
      nextDeadline(subscription('pending', { polls, lastPollAt: now })),
    );
    const { firstPollMs, longestPollMs } = patience;
    expect(reads.map((read) => (read?.at ?? 0) - now)).toEqual([firstPollMs, 2 * firstPollMs, longestPollMs]);
  });

  /** With the number of an attempt a name stands for one POST, in rows that are there for good: it never changes. */
  it.each([
    [{ type: 'createAgreement' }, 'create'],
    [{ type: 'executeAgreement' }, 'execute-3'],
    [{ type: 'suspendAgreement', commandId: 'cmd_1', note: '', from: 'active' }, 'cmd_1'],
    [{ type: 'reactivateAgreement', commandId: 'cmd_2', note: '', from: 'suspended' }, 'cmd_2'],
    [{ type: 'cancelAgreement', commandId: 'cmd_3', note: '', from: 'active' }, 'cmd_3'],
  ] satisfies [SubscriptionStep, string][])('names the step %o %s', (step, name) => {
    expect(nameOfStep({ number: 3, step })).toBe(name);
  });
});
