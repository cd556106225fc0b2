import { describe, expect, it } from 'vitest';
import { eventOnWord, settingShown, transition } from '#workflows/lifecycle/subscription';
import { after, billing, facts, inDoubt, now, sampleEvents, subscription } from './sample-subscriptions.js';

const owing = { billing: { ...billing, outstandingMinor: 900 } };
const requested = sampleEvents.billBalanceRequested;

describe('a request to set the balance', () => {
  const forgiving = sampleEvents.setBalanceRequested;

  it.each(['active', 'suspended'] as const)('lowers it while %s, and returns there', (status) => {
    const step = { type: 'setBalance', commandId: 'cmd_3', note: 'x', minor: 899, from: status };
    const begun = transition(subscription(status, owing), { ...forgiving, minor: 899 }, now);
    expect(begun).toMatchObject({ state: { status: 'setting_balance' }, effect: { type: 'perform', step } });
    const set = transition(begun.state, { type: 'balanceSet' }, now);
    expect(set).toMatchObject({ state: { status }, effect: { type: 'observe' } });
    expect(transition(set.state, requested, now + 1).state.openStep?.phase).toBe('retry');
    expect(after(begun.state, sampleEvents.stepDeclined).status).toBe(status);
  });

  it('is refused unless it is lowered, and when nothing is outstanding', () => {
    expect(transition(subscription('active', owing), { ...forgiving, minor: 900 }, now)).toMatchObject({
      refusal: { code: 'balance_not_lower', reason: 'The balance can only be lowered, and is 9.00 USD.' },
    });
    expect(transition(subscription('active'), forgiving, now)).toMatchObject({
      refusal: { code: 'nothing_outstanding' },
    });
    expect(transition(subscription('pending', owing), forgiving, now)).toMatchObject({
      refusal: { reason: 'A subscription that is pending does not have its balance set.' },
    });
  });

  it('is shown by the balance alone, and not once a cycle or a failed payment may have changed it', () => {
    const state = inDoubt(subscription('setting_balance', owing));
    const seen = { outstandingMinor: 900, cyclesCompleted: 2 };
    const shown = (outstandingMinor: number, cyclesCompleted = 2, compared: object = { seen }) =>
      settingShown(
        state,
        { minor: 100, ...compared },
        facts('Active', { updatedAt: now, outstandingMinor, cyclesCompleted }),
      );
    expect(shown(100)).toEqual({ type: 'balanceSet' });
    expect(shown(900)).toBe('absent');
    expect([shown(500), shown(100, 3), shown(900, 3), shown(100, 2, {})]).toEqual(
      Array.from({ length: 4 }, () => 'unreadable'),
    );
    const dated = (updatedAt: number) => ({ seen: { ...seen, updatedAt } });
    expect([shown(900, 2, dated(now)), shown(900, 2, dated(now - 1))]).toEqual(['absent', 'unreadable']);
    expect(shown(100, 2, dated(now - 1))).toEqual({ type: 'balanceSet' });
    const older = facts('Active', { updatedAt: (billing.updatedAt ?? 0) - 1, outstandingMinor: 100 });
    expect(settingShown(state, { minor: 100, seen }, older)).toBe('unreadable');
    expect(eventOnWord(state.openStep?.step ?? { type: 'createAgreement' })).toEqual({ type: 'balanceSet' });
  });
});
