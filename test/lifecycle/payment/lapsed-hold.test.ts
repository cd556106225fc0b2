import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { authorization, patience, payment } from './sample-payments.js';

describe('a hold whose window has passed, and of which the provider is being asked', () => {
  const asked = { ...payment('authorized'), lapsed: true, polls: 0, lastPollAt: authorization.validUntil };

  it('is asked after at the pace of polls, not again and again in the same moment', () => {
    expect(nextDeadline(asked)).toEqual({
      at: authorization.validUntil + patience.firstPollMs,
      event: { type: 'pollCameDue' },
    });
  });

  it('is not captured, voided or warned of any more by the clock', () => {
    const ordered = payment('authorized', { capturePolicy: { mode: 'at', at: authorization.createdAt } });
    expect(nextDeadline({ ...ordered, lapsed: true })?.event).toEqual({ type: 'pollCameDue' });
  });
});
