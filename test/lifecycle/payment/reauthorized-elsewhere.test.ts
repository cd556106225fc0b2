import { describe, expect, it } from 'vitest';
import {
  amountsOf,
  holdDeadlines,
  type PaymentEvent,
  reauthorizationIn,
  transition,
} from '#workflows/lifecycle/payment';
import { after, facts, payment, dayOfHold, authorization } from './sample-payments.js';

const asked = { type: 'reauthorizeRequested', commandId: 'cmd_2' } as const;
const held = payment('authorized');

const shows = (minor: number, n: number, state = 'authorized'): PaymentEvent => ({
  type: 'providerObserved',
  facts: facts({ authorization: { ...authorization, minor, state, changedAt: dayOfHold(n) } }),
});

const raisedElsewhere = () => after(held, [shows(110_00, 5), dayOfHold(6)]);

describe('a hold that somebody else reauthorizes under its own id', () => {
  it('is followed with its amount and a new honour period, in the same window', () => {
    const raised = raisedElsewhere();
    expect(raised.status).toBe('authorized');
    expect(amountsOf(raised)).toMatchObject({ authorized: 110_00, capturable: 100_00 });
    expect(holdDeadlines(raised.authorization!)).toMatchObject({
      honourUntil: dayOfHold(8),
      captureUntil: dayOfHold(29),
    });
    const lowered = after(raised, [shows(90_00, 10), dayOfHold(10)]);
    expect(amountsOf(lowered)).toMatchObject({ authorized: 90_00, capturable: 90_00 });
  });

  it('ends as the provider ends it, with the newest amount', () => {
    const ended = after(held, [shows(110_00, 29, 'expired'), dayOfHold(29)]);
    expect(ended).toMatchObject({ status: 'expired', released: true });
    expect(amountsOf(ended).released).toBe(110_00);
    expect(after(raisedElsewhere(), [shows(110_00, 7, 'voided'), dayOfHold(7)]).status).toBe('voided');
  });

  it('has ended if a read says so, however much that lags', () => {
    const ended = after(raisedElsewhere(), [shows(100_00, 0, 'voided'), dayOfHold(6)]);
    expect(ended).toMatchObject({ status: 'voided', released: true });
  });

  it('is not changed back by a lagging read', () => {
    const state = raisedElsewhere();
    expect(transition(state, shows(100_00, 0), dayOfHold(6))).toEqual({ kind: 'stale', state });
  });

  it('is told from our own reauthorization, which a lagging earlier read does not contradict', () => {
    const running = after(held, [{ ...asked, minor: 110_00 }, dayOfHold(4)]);
    const ours = { ...authorization, minor: 110_00 };
    const reauthorized = after(running, [
      { type: 'authorizationRenewed', authorization: ours, heldAt: dayOfHold(4) },
      dayOfHold(4),
    ]);
    expect(transition(reauthorized, shows(100_00, 3), dayOfHold(4))).toEqual({
      kind: 'stale',
      state: reauthorized,
    });
    const again = after(reauthorized, [{ ...asked, minor: 90_00 }, dayOfHold(8)]);
    const { facts: lagging } = shows(100_00, 3) as Extract<PaymentEvent, { type: 'providerObserved' }>;
    expect(reauthorizationIn(again, lagging, dayOfHold(4))).toBeUndefined();
  });
});
