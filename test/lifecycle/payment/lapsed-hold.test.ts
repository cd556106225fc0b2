import { describe, expect, it } from 'vitest';
import { nextDeadline } from '#workflows/lifecycle/payment/deadlines.js';
import { authorization, patience, payment } from './sample-payments.js';

describe('a hold whose window has passed, and which the provider is asked about', () => {
  const asked = { ...payment('authorized'), lapsed: true, polls: 0, lastPollAt: authorization.validUntil };

  it('is read at the pace of polls, not repeatedly at the same instant', () => {
    expect(nextDeadline(asked)).toEqual({
      at: authorization.validUntil + patience.firstPollMs,
      event: { type: 'pollCameDue' },
    });
  });

  it('is no longer captured, voided or warned about by a deadline', () => {
    const ordered = payment('authorized', { capturePolicy: { mode: 'at', at: authorization.createdAt } });
    expect(nextDeadline({ ...ordered, lapsed: true })?.event).toEqual({ type: 'pollCameDue' });
  });
});
