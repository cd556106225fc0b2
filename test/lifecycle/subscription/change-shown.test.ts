import { describe, expect, it } from 'vitest';
import { changeShown } from '#workflows/lifecycle/subscription';
import { billing, facts, inDoubt, now, subscription } from './sample-subscriptions.js';

const suspending = inDoubt(subscription('suspending'));
const reactivating = inDoubt(subscription('reactivating'));
const cancelling = inDoubt(subscription('cancelling'));
const known = billing.updatedAt ?? 0;

describe('a read of an agreement whose change was not answered', () => {
  it.each([
    ['a suspension', suspending, 'Suspended', 'agreementSuspended'],
    ['a reactivation', reactivating, 'Active', 'agreementReactivated'],
  ] as const)('shows %s only when it is newer than what was there before', (_what, state, shown, event) => {
    const shownAt = (updatedAt: number) => changeShown(state, facts(shown, { updatedAt }), known + 10, now);
    expect(shownAt(known + 11)).toEqual({ type: event });
    expect(shownAt(known + 10)).toBe('absent');
    expect(shownAt(known + 9)).toBe('unreadable');
  });

  it.each([
    ['a suspension', suspending, 'Suspended', 'Active', 'agreementSuspended'],
    ['a reactivation', reactivating, 'Active', 'Suspended', 'agreementReactivated'],
  ] as const)('shows %s in the second of what was there before, if that was another state', (...change) => {
    const [, state, shown, before, event] = change;
    const read = facts(shown, { updatedAt: known });
    expect(changeShown(state, read, known, now, before)).toEqual({ type: event });
    expect(changeShown(state, read, known, now, shown)).toBe('absent');
  });

  it('is too old when it is older than an earlier read, whatever it shows', () => {
    const old = { updatedAt: known - 1 };
    for (const shown of ['Suspended', 'Active']) {
      expect(changeShown(suspending, facts(shown, old), undefined, now)).toBe('unreadable');
    }
    const settling = { ...suspending, readsSettleAt: now + 1 };
    expect(changeShown(settling, facts('Suspended', { updatedAt: now }), known, now)).toBe('unreadable');
  });

  it('counts by its state alone when the provider shows no instants', () => {
    const { updatedAt: _unreported, ...undated } = billing;
    const read = { agreementId: 'I-1', shown: 'Suspended', billing: undated };
    expect(changeShown(suspending, read, undefined, now)).toEqual({ type: 'agreementSuspended' });
    expect(changeShown(reactivating, read, undefined, now)).toBe('absent');
  });

  it('shows an end for good, whatever its time', () => {
    const over = (shown: string) => facts(shown, { updatedAt: known - 1 });
    expect(changeShown(cancelling, over('Cancelled'), known, now)).toEqual({ type: 'agreementCancelled' });
    expect(changeShown(cancelling, over('Expired'), known, now)).toMatchObject({ type: 'stepDeclined' });
    expect(changeShown(suspending, over('Cancelled'), known, now)).toMatchObject({ type: 'stepDeclined' });
    expect(changeShown(cancelling, facts('Active', { updatedAt: now }), known, now)).toBe('absent');
  });
});
