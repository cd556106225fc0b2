import { describe, expect, it } from 'vitest';
import { relationOf, type RefundState, transitionRefund } from '#workflows/lifecycle/refund';
import { refundableOf } from '#workflows/lifecycle/refund/refundable.js';
import { doubtedRequest, pendingRequest, refund, startedAt, usd } from './sample-refunds.js';

const now = startedAt + 600_000;
const shown = {
  providerRefundId: 'REF-1',
  state: 'completed',
  amount: usd(40_00),
  collectedId: 'CAP-1',
} as const;
const { openStep: _given, ...undone } = doubtedRequest();
const givenUp: RefundState = { ...undone, status: 'failed', reason: 'It was given up.' };
const capture = { kind: 'capture', id: 'CAP-1', minor: 100_00, status: 'completed' } as const;

describe('a refund that bears the reference of our own request', () => {
  it.each([
    ['is that request’s, which knows of it', pendingRequest(), {}, 'known'],
    ['waits for a request that is in doubt', doubtedRequest(), {}, 'awaited'],
    ['waits for a request that a person is asked about', doubtedRequest('needs_review'), {}, 'awaited'],
    ['is the request’s that was given up', givenUp, {}, 'late'],
    ['is the request’s that was declined', refund('declined'), {}, 'late'],
    ['is nothing where it came to nothing as well', givenUp, { state: 'failed' }, 'known'],
    ['is nothing where it was cancelled', givenUp, { state: 'cancelled' }, 'known'],
    ['is money of its own where its amount is not told', givenUp, { amount: undefined }, 'another'],
    [
      'is money of its own where it is of another currency',
      givenUp,
      { amount: { minor: 40_00, currency: 'EUR' } },
      'another',
    ],
    ['is money of its own while it is pending', givenUp, { state: 'pending' }, 'another'],
    ['is money of its own where it is of another amount', givenUp, { amount: usd(41_00) }, 'another'],
    ['is money of its own where it is of another capture', givenUp, { collectedId: 'CAP-2' }, 'another'],
    ['is money of its own where no request of ours is given up', refund('failed'), {}, 'another'],
    [
      'is money of its own where the request has made one',
      pendingRequest(),
      { providerRefundId: 'REF-2' },
      'another',
    ],
  ] as const)('%s', (_what, request, change, expected) => {
    const { amount, ...rest } = { ...shown, ...change };
    expect(relationOf(request, { ...rest, ...(amount && { amount }) })).toBe(expected);
  });
});

describe('a request that was given up, and carried out after all', () => {
  it.each([givenUp, refund('declined')])(
    'is completed, says why, and counts as refunded: $status',
    (request) => {
      expect(refundableOf(capture, [request])).toBe(100_00);
      const cameToLight = { type: 'refundCameToLight', refund: { ...shown, settledAt: now } } as const;
      const { kind, state } = transitionRefund(request, cameToLight, now);
      expect(kind).toBe('moved');
      expect(state).toMatchObject({
        status: 'completed',
        providerRefundId: 'REF-1',
        refundedAt: now,
        reason: 'The provider has made it after all, later than it promised.',
      });
      expect(refundableOf(capture, [state])).toBe(60_00);
      expect(transitionRefund(state, cameToLight, now).kind, 'once').toBe('stale');
    },
  );

  it('stays as it is when its own refund failed and another one comes to light', () => {
    const failed: RefundState = { ...givenUp, providerRefundId: 'REF-0' };
    const cameToLight = { type: 'refundCameToLight', refund: shown } as const;
    expect(transitionRefund(failed, cameToLight, now)).toEqual({ kind: 'stale', state: failed });
  });

  it('stays given up while nothing was refunded by it', () => {
    const pending = { type: 'refundCameToLight', refund: { ...shown, state: 'pending' } } as const;
    expect(transitionRefund(givenUp, pending, now)).toEqual({ kind: 'stale', state: givenUp });
  });

  it('is not one that was made elsewhere, which a read shows with more than any answer', () => {
    const cameToLight = { type: 'refundCameToLight', refund: shown } as const;
    expect(transitionRefund(refund('failed'), cameToLight, now).kind).toBe('stale');
  });
});
