import { describe, expect, it } from 'vitest';
import { advance } from '#workflows/lifecycle';
import {
  isBookOwed,
  subscriptionLifecycle,
  type SubscriptionState,
  transition,
} from '#workflows/lifecycle/subscription';
import { nextDeadline } from '#workflows/lifecycle/subscription/deadlines.js';
import {
  after,
  day,
  facts,
  now,
  observed,
  patience,
  refunded,
  subscription,
} from './sample-subscriptions.js';

const lagging = (shown: string) => facts(shown, { cyclesCompleted: 1 });

describe('a subscription that has ended', () => {
  const settled = now + patience.outcomeHorizonMs;
  const cancelled = after(subscription('cancelling'), { type: 'agreementCancelled' });
  const lastRead = (state: SubscriptionState) => transition(state, { type: 'pollCameDue' }, settled).state;

  it('is read at once, with its payments, and for the last time when reads no longer lag', () => {
    expect(nextDeadline(cancelled)).toEqual({ at: now, event: { type: 'pollCameDue' } });
    const billed = facts('Cancelled', { updatedAt: now, cyclesCompleted: 3 });
    const read = observed(transition(cancelled, { type: 'pollCameDue' }, now).state, billed).state;
    expect(read).toMatchObject({ status: 'cancelled', billing: { cyclesCompleted: 3 } });
    expect(nextDeadline(read)).toEqual({ at: settled, event: { type: 'pollCameDue' } });
    expect(isBookOwed(read)).toBe(true);
    // The run goes on until then.
    expect(subscriptionLifecycle.owesAfterEnd?.(read)).toBe(true);
    const closed = observed(lastRead(read), billed, settled).state;
    expect([nextDeadline(closed), isBookOwed(closed)]).toEqual([undefined, false]);
  });

  it('is read at growing intervals while a payment is pending', () => {
    const pending = { hasPaid: false, oldestPendingAt: now - day };
    const event = {
      type: 'agreementObserved',
      facts: facts('Cancelled', { updatedAt: now }),
      book: pending,
    } as const;
    const waiting = transition(lastRead(cancelled), event, settled).state;
    expect(waiting).not.toHaveProperty('confirmAt');
    expect(nextDeadline(waiting)).toEqual({
      at: settled + 2 * patience.firstPollMs,
      event: { type: 'pollCameDue' },
    });
    const closed = observed(waiting, event.facts, settled).state;
    expect(isBookOwed(closed)).toBe(false);
  });

  it('is read again until that succeeds, and an old read changes it no more than before', () => {
    const failed = transition(lastRead(cancelled), { type: 'observationFailed' }, settled).state;
    expect(nextDeadline(failed)?.at).toBe(settled + 2 * patience.firstPollMs);
    const old = facts('Active', { updatedAt: now - 2 * day });
    expect(observed(lastRead(cancelled), old, settled).kind).toBe('stale');
  });

  it('is read again when an event tells of it, and keeps its end', () => {
    const { confirmAt: _read, arePaymentsOwed: _none, ...closed } = cancelled;
    const reported = transition(closed, refunded, now);
    expect(reported).toMatchObject({ effect: { type: 'observe' }, state: { confirmAt: settled } });
    expect(isBookOwed(reported.state)).toBe(true);
    const shown = observed(lastRead(reported.state), facts('Active', { updatedAt: now }), settled).state;
    expect(shown).toMatchObject({
      status: 'cancelled',
      reason: 'The provider shows the agreement as Active, though it is cancelled.',
    });
  });

  it.each([
    ['', facts('Cancelled'), cancelled],
    [', though the agreement lags behind', lagging('Cancelled'), cancelled],
    [', though the agreement lags behind what is active', lagging('Active'), subscription('active')],
    [', though where the agreement stands is unknown', facts('Frozen'), subscription('active')],
  ])('records in its timeline what happened to its payments%s', (_, shown, state) => {
    const reported = 'A payment of 9.00 USD is refunded.';
    const event = {
      type: 'agreementObserved',
      facts: shown,
      book: { hasPaid: true, told: reported },
    } as const;
    const { entry, position } = advance(subscriptionLifecycle, { state, version: 4 }, event, now);
    expect(entry).toMatchObject({ event: 'agreementObserved', to: state.status, detail: reported });
    expect(position.version).toBe(5);
  });

  it('that was never executed is not read', () => {
    const ended = after(subscription('awaiting_approval'), { type: 'payerCancelled' });
    expect([nextDeadline(ended), isBookOwed(ended)]).toEqual([undefined, false]);
  });
});
