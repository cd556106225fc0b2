import { describe, expect, it } from 'vitest';
import {
  type SeenBalance,
  type ShownBalance,
  allowedActions,
  billingShown,
  eventOnWord,
  isReadRequired,
  nameOfStep,
  subscriptionLifecycle,
  transition,
} from '#workflows/lifecycle/subscription';
import {
  after,
  billing,
  facts,
  inDoubt,
  now,
  onLastAttempt,
  patience,
  sampleEvents,
  subscription,
} from './sample-subscriptions.js';

const owing = { billing: { ...billing, outstandingMinor: 900 } };
const requested = sampleEvents.billBalanceRequested;

describe('a request to bill the balance', () => {
  it.each(['active', 'suspended'] as const)(
    'bills everything or a part while %s, and returns there',
    (status) => {
      const state = subscription(status, owing);
      const begun = transition(state, requested, now);
      const step = { type: 'billBalance', commandId: 'cmd_3', note: 'x', minor: 900, from: status };
      expect(begun).toMatchObject({
        state: { status: 'billing_balance', openStep: { step } },
        effect: { type: 'perform', step },
      });
      expect(transition(state, { ...requested, minor: 1 }, now)).toMatchObject({
        effect: { step: { ...step, minor: 1 } },
      });
      expect(after(begun.state, { type: 'balanceBilled' }).status).toBe(status);
      expect(after(begun.state, sampleEvents.stepDeclined)).toMatchObject({
        status,
        reason: sampleEvents.stepDeclined.reason,
      });
    },
  );

  it('is refused for more than is outstanding, and when nothing is', () => {
    expect(transition(subscription('active', owing), { ...requested, minor: 901 }, now)).toMatchObject({
      refusal: { code: 'amount_exceeds_outstanding', reason: 'Only 9.00 USD is outstanding.' },
    });
    expect(transition(subscription('active'), requested, now)).toMatchObject({
      refusal: { code: 'nothing_outstanding', reason: 'Nothing is outstanding.' },
    });
    expect(transition(subscription('pending', owing), requested, now)).toMatchObject({
      refusal: {
        code: 'not_allowed_in_state',
        reason: 'A subscription that is pending does not have its balance billed.',
      },
    });
  });

  it('is allowed where something is outstanding', () => {
    expect(allowedActions(subscription('active', owing), now)).toEqual([
      'suspend',
      'cancel',
      'billBalance',
      'setBalance',
    ]);
    expect(allowedActions(subscription('active'), now)).toEqual(['suspend', 'cancel']);
    expect(allowedActions(subscription('billing_balance', owing), now)).toEqual([]);
  });

  it('has the note in its timeline line, and is named by its command', () => {
    expect(subscriptionLifecycle.detailOf?.(requested)).toBe('x');
    const step = { type: 'billBalance', commandId: 'cmd_3', note: 'x', minor: 1, from: 'active' } as const;
    expect(nameOfStep({ number: 4, step })).toBe('cmd_3');
  });
});

describe('a billed balance', () => {
  it('has its payments read at once, and once more when no read lags', () => {
    const billed = transition(subscription('billing_balance', owing), { type: 'balanceBilled' }, now);
    expect(billed).toMatchObject({
      state: { status: 'active', arePaymentsOwed: true, confirmAt: now + patience.outcomeHorizonMs },
      effect: { type: 'observe' },
    });
    expect(billed.state).not.toHaveProperty('openStep');
  });

  it('is not followed by another one before reads must show it, which then is sent under its first attempt', () => {
    const billed = after(subscription('billing_balance', owing), { type: 'balanceBilled' });
    const next = transition(billed, requested, now + 1);
    const nextAt = now + patience.outcomeHorizonMs;
    expect(next).toMatchObject({
      kind: 'moved',
      state: { status: 'billing_balance', openStep: { phase: 'retry', attempts: 0, nextAt } },
    });
    expect(next).not.toHaveProperty('effect');
    expect(transition(next.state, { type: 'stepCameDue' }, nextAt)).toMatchObject({
      state: { openStep: { phase: 'running', attempts: 0 } },
      effect: { type: 'perform' },
    });
    expect(transition(billed, requested, nextAt)).toMatchObject({ effect: { type: 'perform' } });
  });

  it('is given up with its proof after the last attempt, and is repeated before', () => {
    const doubt = inDoubt(subscription('billing_balance', owing));
    expect(transition(doubt, sampleEvents.stepProvedUndone, now)).toMatchObject({
      state: { status: 'billing_balance' },
      effect: { type: 'perform' },
    });
    const given = transition(onLastAttempt(doubt), sampleEvents.stepProvedUndone, now);
    expect(given.state).toMatchObject({ status: 'active' });
    expect(given.state.reason).toMatch(/proved that the billing of the balance did not happen/);
  });

  it('can be decided on an operator’s word, because its payment is read afterwards', () => {
    const { openStep } = subscription('billing_balance');
    const step = openStep?.step ?? { type: 'createAgreement' };
    expect(eventOnWord(step)).toEqual({ type: 'balanceBilled' });
    expect(isReadRequired(step)).toBe(false);
  });
});

const failed = (at: number) => [{ id: 'S-2', at, hasFailed: true }];
const salesAt = (...times: number[]) => times.map((at) => ({ id: `S-${at}`, at, hasFailed: false }));

describe('a read after a billing without an answer', () => {
  const state = inDoubt(subscription('billing_balance', owing));
  const seen: SeenBalance = { outstandingMinor: 900, cyclesCompleted: 2, since: 0, saleIds: ['S-1'] };
  const shown = (
    { outstandingMinor = 900, cycles = 0, status = 'Active' },
    sales: readonly string[] = ['S-1'],
    more: Partial<ShownBalance> = {},
  ) =>
    billingShown(state, seen, {
      facts: facts(status, { updatedAt: now, cyclesCompleted: 2 + cycles, outstandingMinor }),
      sales: sales.map((id) => ({ id, at: now, hasFailed: false })),
      isCut: false,
      ...more,
    });
  const billed = { type: 'balanceBilled' };

  it('shows it by a new sale of its amount and a lower balance', () => {
    expect(shown({ outstandingMinor: 0 }, ['S-1', 'S-2'])).toEqual(billed);
    expect(shown({ outstandingMinor: 0 }, ['S-2'], { isCut: true })).toEqual(billed);
  });

  it('shows it by a payment that has failed since, though everything is outstanding again', () => {
    expect(shown({}, [], { sales: failed(now) })).toEqual(billed);
    expect(shown({}, [], { sales: [...failed(now), ...salesAt(now)] })).toEqual(billed);
  });

  it('does not show it by a payment from before it, which the list that was read before had left out', () => {
    const lagged = { ...seen, updatedAt: now };
    const read = {
      facts: facts('Active', { updatedAt: now, cyclesCompleted: 2, outstandingMinor: 900 }),
      isCut: false,
    };
    expect(billingShown(state, lagged, { ...read, sales: failed(now - 1_000) })).toBe('unreadable');
    // A cycle whose payment is pending is itself the agreement's last change.
    expect(billingShown(state, lagged, { ...read, sales: failed(now) })).toBe('unreadable');
    // One of the two instants may be rounded to whole seconds.
    expect(billingShown(state, { ...lagged, updatedAt: now - 1 }, { ...read, sales: failed(now) })).toEqual(
      billed,
    );
  });

  it('does not show it by a sale that is newer than the agreement, whose cycle is not counted yet', () => {
    expect(shown({ cycles: 1 }, [], { sales: salesAt(now, now + 1_000) })).toBe('unreadable');
    expect(shown({ cycles: 1 }, [], { sales: salesAt(now, now - 1_000) })).toEqual(billed);
  });

  it('shows that it was not made when there is no such sale, and nothing less is outstanding', () => {
    expect(shown({})).toBe('absent');
    expect(shown({ outstandingMinor: 1_800, cycles: 1 })).toBe('absent');
  });

  it('believes a lower balance without a sale only where a cycle or the end explains it', () => {
    expect(shown({ outstandingMinor: 0 })).toBe('unreadable');
    expect(shown({ outstandingMinor: 0, cycles: 1 })).toBe('absent');
    expect(shown({ outstandingMinor: 0, status: 'Cancelled' })).toBe('absent');
  });

  it('does not take the sale of a cycle for it, and takes a sale more than there were cycles', () => {
    expect(shown({ cycles: 1 }, ['S-1', 'S-2'])).toBe('unreadable');
    expect(shown({ cycles: 1 }, ['S-1', 'S-2', 'S-3'])).toEqual(billed);
  });

  it('tells nothing when it lags, is cut, or has nothing to be compared with', () => {
    expect(shown({}, ['S-1', 'S-2'])).toBe('unreadable');
    expect(shown({}, ['S-1'], { isCut: true })).toBe('unreadable');
    expect(shown({ cycles: -1 }, ['S-2'])).toBe('unreadable');
    const read = { facts: facts('Active'), sales: [], isCut: false };
    expect(billingShown(state, undefined, read)).toBe('unreadable');
    // One from before the billing would say that it was not made, and the balance would be billed twice.
    const older = facts('Active', { updatedAt: (billing.updatedAt ?? 0) - 1, outstandingMinor: 900 });
    expect(billingShown(state, seen, { ...read, facts: older })).toBe('unreadable');
  });

  it('tells nothing when it shows fewer cycles than the read before the billing, which our records lack', () => {
    const later = { ...seen, cyclesCompleted: 3, outstandingMinor: 1_800 };
    const lagging = facts('Active', { outstandingMinor: 900 });
    expect(billingShown(state, later, { facts: lagging, sales: [], isCut: false })).toBe('unreadable');
  });

  it('is compared to the millisecond with what is not rounded', () => {
    const exact = { ...seen, updatedAt: now + 300 };
    const read = { facts: facts('Active', { updatedAt: now + 2_300, outstandingMinor: 900 }), isCut: false };
    const shownAt = (ms: number) => billingShown(state, exact, { ...read, sales: failed(now + ms) });
    expect([shownAt(299), shownAt(300), shownAt(301)]).toEqual(['unreadable', 'unreadable', billed]);
    expect([shownAt(2_300), shownAt(2_301)]).toEqual([billed, 'unreadable']);
  });

  it('shows it though the change before it was made at a whole second, by chance', () => {
    const whole = { ...seen, updatedAt: now };
    const shownAt = (ms: number, changedAt: number) => {
      const changed = facts('Suspended', { updatedAt: changedAt, cyclesCompleted: 2, outstandingMinor: 0 });
      return billingShown(state, whole, { facts: changed, sales: salesAt(now + ms), isCut: false });
    };
    expect(shownAt(400, now + 400)).toEqual(billed);
    // Rounded, it may have been made before the change, or after it.
    expect([shownAt(400, now), shownAt(1_400, now + 1_000)]).toEqual(['unreadable', billed]);
  });
});
