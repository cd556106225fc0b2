import { describe, expect, it } from 'vitest';
import { nextDeadline, reauthorizationAt } from '#workflows/lifecycle/payment/deadlines.js';
import { type PaymentEvent, allowedActions } from '#workflows/lifecycle/payment';
import { after, authorization, day, hour, payment, toBeRepeated, dayOfHold } from './sample-payments.js';
import { asked, held, reauthorizedOn } from './sample-reauthorizations.js';

describe('the honour policy', () => {
  it.each([
    ['none', []],
    ['once', [3]],
    ['as_allowed', [3, 6, 9, 12, 15, 18, 21, 24, 27]],
  ] as const)('%s reauthorizes on these days of the provider: %j', (reauthorize, days) => {
    let state = held({ reauthorize });
    const reauthorizations: number[] = [];
    for (let at = reauthorizationAt(state); at !== undefined; at = reauthorizationAt(state)) {
      const n = (at - authorization.createdAt) / day;
      reauthorizations.push(n);
      state = reauthorizedOn(state, n, { type: 'reauthorizationCameDue' });
    }
    expect(reauthorizations).toEqual(days);
    expect(state.captures).toEqual([]);
  });

  it.each([
    ['honourPeriodNearedEnd', 'honour_period_ending'],
    ['honourPeriodEnded', 'honour_period_ended'],
  ] as const)('is told to callers: %s', (type, warning) => {
    expect(after(held({ action: 'warn' }), [{ type }]).warning).toBe(warning);
  });

  it('captures half a day before the guarantee ends, once for each hold', () => {
    const state = held({ action: 'capture' });
    const warned = after(state, [{ type: 'honourPeriodNearedEnd' }, dayOfHold(2)]);
    expect(nextDeadline(warned)).toEqual({ at: dayOfHold(2.5), event: { type: 'honourCaptureCameDue' } });
    const capturing = after(warned, [{ type: 'honourCaptureCameDue' }, dayOfHold(2.5)]);
    expect(capturing.openStep?.step).toMatchObject({
      commandId: 'pay_1:honour-policy',
      minor: 100_00,
      final: true,
    });
    const refused = after(capturing, [{ type: 'stepDeclined', reason: 'no' }, dayOfHold(2.5)]);
    expect(nextDeadline(refused)?.event.type).toBe('honourPeriodEnded');
    const reauthorized = reauthorizedOn(refused, 3);
    const again = after(reauthorized, [{ type: 'honourCaptureCameDue' }, dayOfHold(5.5)]);
    expect(again.openStep?.step).toMatchObject({ commandId: 'pay_1:honour-policy-2' });
  });

  it('warns again of the period that a reauthorization has begun, and of the window once', () => {
    let state = reauthorizedOn(held({ action: 'warn' }), 24);
    const reported: [number, string][] = [];
    for (let next = nextDeadline(state); next && next.at < dayOfHold(28); next = nextDeadline(state)) {
      reported.push([(next.at - authorization.createdAt) / day, next.event.type]);
      state = after(state, [next.event, next.at]);
    }
    expect(reported).toEqual([
      [26, 'honourPeriodNearedEnd'],
      [26, 'captureWindowNearedEnd'],
      [27, 'honourPeriodEnded'],
    ]);
    expect(state.warning).toBe('capture_window_ending');
  });

  it('waits an hour, then longer, when the provider’s clock is behind, and never gets a second step of one name', () => {
    const tooSoon: PaymentEvent = { type: 'reauthorizationTooSoon', reason: 'too soon' };
    let state = held({ reauthorize: 'once' });
    const names = new Set<string>();
    const waits: number[] = [];
    for (let i = 0; i < 3; i += 1) {
      const at = reauthorizationAt(state)!;
      state = after(state, [{ type: 'reauthorizationCameDue' }, at]);
      const { step } = state.openStep!;
      names.add('commandId' in step ? step.commandId : '');
      state = after(state, [tooSoon, at]);
      waits.push(reauthorizationAt(state)! - at);
    }
    expect(waits).toEqual([hour, 2 * hour, 4 * hour]);
    expect(names.size).toBe(3);
    expect(state.status).toBe('authorized');
  });

  it('lets the hold be captured, and tries again later, when the provider does not answer', () => {
    const state = held({ reauthorize: 'once' });
    const begun = after(state, [{ type: 'reauthorizationCameDue' }, dayOfHold(3)]);
    const lastTry = {
      ...begun,
      openStep: { ...toBeRepeated(begun).openStep!, attempts: begun.order.patience.maxAttempts - 1 },
    };
    const givenUp = after(lastTry, [{ type: 'stepDeferred', retryAt: dayOfHold(4) }, dayOfHold(3)]);
    expect(givenUp.status).toBe('authorized');
    expect(reauthorizationAt(givenUp)).toBe(dayOfHold(3) + hour);
  });

  it('ends for this hold once the provider has refused for good', () => {
    const begun = after(held({ reauthorize: 'as_allowed' }), [
      { type: 'reauthorizationCameDue' },
      dayOfHold(3),
    ]);
    const refused = after(begun, [{ type: 'stepDeclined', reason: 'no' }, dayOfHold(3)]);
    expect(reauthorizationAt(refused)).toBeUndefined();
    expect(allowedActions(refused, dayOfHold(4))).toContain('reauthorize');
  });

  it('is tried again by the policy that was told “too soon”', () => {
    const policy = { action: 'none', reauthorize: 'as_allowed' } as const;
    const begun = after(payment('authorized', { honourPolicy: policy, rules: 2 }), [
      { type: 'reauthorizationCameDue' },
      dayOfHold(3),
    ]);
    const late = after(begun, [{ type: 'reauthorizationTooSoon', reason: 'too soon' }, dayOfHold(3)]);
    expect(reauthorizationAt(late)).toBe(dayOfHold(3) + hour);
  });

  it.each([
    ['too soon', { type: 'reauthorizationTooSoon', reason: 'too soon' }],
    ['computed from outdated captures', { type: 'stepDeclined', reason: 'outdated', isOutdated: true }],
  ] as const)('stays over for this hold when a caller’s reauthorization is %s', (_why, putOff) => {
    const policy = { action: 'none', reauthorize: 'as_allowed' } as const;
    const askedAfterRefusal = (given: { rules?: 2 }) =>
      after(
        payment('authorized', { honourPolicy: policy, ...given }),
        [{ type: 'reauthorizationCameDue' }, dayOfHold(3)],
        [{ type: 'stepDeclined', reason: 'no' }, dayOfHold(3)],
        [asked, dayOfHold(4)],
        [putOff, dayOfHold(4)],
      );
    expect(reauthorizationAt(askedAfterRefusal({ rules: 2 }))).toBeUndefined();
    // Runs of older orders go on as they began.
    expect(reauthorizationAt(askedAfterRefusal({}))).toBe(dayOfHold(4) + hour);
  });
});
