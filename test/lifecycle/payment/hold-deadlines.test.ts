import { describe, expect, it } from 'vitest';
import { nextDeadline, reauthorizationAt } from '#workflows/lifecycle/payment/deadlines.js';
import type { HonourStage } from '#workflows/lifecycle/payment/hold.js';
import { capture, payment, dayOfHold } from './sample-payments.js';

const silent = { action: 'none', reauthorize: 'none' } as const;

describe('the clock of a hold', () => {
  it.each(['authorized', 'partially_captured'] as const)('runs while the payment is %s', (status) => {
    expect(nextDeadline(payment(status, { honourPolicy: silent }))).toEqual({
      at: dayOfHold(26),
      event: { type: 'captureWindowNearedEnd' },
    });
  });

  it('stops while a capture is pending, which is polled', () => {
    const captures = [capture(100_00, { status: 'pending', final: true })];
    const capturing = { ...payment('authorized'), status: 'capturing', captures } as const;
    expect(nextDeadline(capturing)?.event.type).toBe('pollCameDue');
    expect(nextDeadline({ ...capturing, lastPollAt: dayOfHold(40) })?.event.type).toBe('pollCameDue');
  });

  it.each(['running', 'ending', 'ended'] satisfies HonourStage[])(
    'gives no honour period warning that is %s when no warning is wanted',
    (honourStage) => {
      const state = { ...payment('authorized', { honourPolicy: silent }), honourStage };
      expect(nextDeadline(state)?.event.type).toBe('captureWindowNearedEnd');
    },
  );

  it('has no expiry policy to apply when the hold is left to expire', () => {
    const left = payment('authorized', { honourPolicy: silent, expiryPolicy: { action: 'expire' } });
    expect(nextDeadline({ ...left, warning: 'capture_window_ending' })).toEqual({
      at: dayOfHold(29),
      event: { type: 'authorizationLapsed' },
    });
  });

  it('reauthorizes no more once the expiry policy has acted', () => {
    const state = payment('authorized', { honourPolicy: { action: 'none', reauthorize: 'once' } });
    const putOffTo = (n: number) => ({
      ...state,
      reauthorizations: { earlier: [], tries: 1, failures: 1, notBefore: dayOfHold(n) },
    });
    expect(reauthorizationAt(putOffTo(27))).toBe(dayOfHold(27));
    expect(reauthorizationAt(putOffTo(28))).toBeUndefined();
  });
});
