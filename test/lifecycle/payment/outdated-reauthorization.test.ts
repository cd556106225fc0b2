import { describe, expect, it } from 'vitest';
import { amountsOf, transition } from '#workflows/lifecycle/payment';
import { nextDeadline, reauthorizationAt } from '#workflows/lifecycle/payment/deadlines.js';
import { after, capture, dayOfHold, facts, hour, patience } from './sample-payments.js';
import { asked, held } from './sample-reauthorizations.js';

const at = dayOfHold(3);
const outdated = { type: 'stepDeclined', reason: 'Somebody else has captured.', isOutdated: true } as const;
const byPolicy = { type: 'reauthorizationCameDue' } as const;
const { commandId: _none, ...elsewhere } = capture(10_00, { captureId: 'CAP-9' });
const shown = { type: 'providerObserved', facts: facts({ captures: [elsewhere] }) } as const;

describe('a reauthorization that is not sent, because somebody else has captured since its amount was computed', () => {
  const policy = held({ reauthorize: 'once' });

  it('is followed by a read, and by another one when reads no longer lag', () => {
    const begun = after(policy, [byPolicy, at]);
    const result = transition(begun, outdated, at);
    expect(result).toMatchObject({
      kind: 'moved',
      effect: { type: 'observe' },
      state: { status: 'authorized', reason: outdated.reason },
    });
    expect(nextDeadline(result.state)).toEqual({
      at: at + patience.outcomeHorizonMs,
      event: { type: 'pollCameDue' },
    });
  });

  it('is tried again by the policy an hour later, with what is left then', () => {
    const adopted = after(policy, [byPolicy, at], [outdated, at], [shown, at]);
    expect(amountsOf(adopted)).toMatchObject({ captured: 10_00, capturable: 90_00 });
    expect(reauthorizationAt(adopted)).toBe(at + hour);
    const again = after(adopted, [byPolicy, at + hour]);
    expect(again.openStep?.step).toMatchObject({ minor: 90_00 });
  });

  it('is tried at growing waits until the expiry policy acts, if no read is ever taken', () => {
    let state = policy;
    const days: number[] = [];
    for (let due = reauthorizationAt(state); due !== undefined; due = reauthorizationAt(state)) {
      days.push(due);
      expect(days.length).toBeLessThan(20);
      state = after(state, [byPolicy, due], [outdated, due], [{ type: 'pollCameDue' }, due]);
    }
    expect(days.length).toBeGreaterThan(5);
  });

  it('can be requested again, for as much as the provider allows besides what was captured', () => {
    const requested = after(held(), [{ ...asked, minor: 110_00 }, at], [outdated, at], [shown, at]);
    expect(transition(requested, { ...asked, minor: 110_00 }, at)).toMatchObject({
      refusal: { code: 'amount_exceeds_reauthorizable' },
    });
    expect(after(requested, [asked, at]).openStep?.step).toMatchObject({ minor: 90_00 });
  });

  it('has the same effect under review', () => {
    const begun = after(policy, [byPolicy, at]);
    const reviewed = { ...begun, status: 'needs_review' as const };
    expect(transition(reviewed, outdated, at)).toEqual(transition(begun, outdated, at));
  });
});
