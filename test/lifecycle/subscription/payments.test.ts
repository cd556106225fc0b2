import { describe, expect, it } from 'vitest';
import {
  type SubscriptionPaymentStatus,
  describeChanges,
  paymentStatusOf,
  showsLessReturned,
  statusBeside,
  subscriptionPaymentStatuses,
} from '#workflows/lifecycle/subscription';

const less = (inBook: SubscriptionPaymentStatus) =>
  subscriptionPaymentStatuses.filter((shown) => showsLessReturned(inBook, shown));

const amount = { minor: 900, currency: 'USD' };

describe('a payment of a subscription', () => {
  it.each([
    ['Completed', 'completed'],
    ['Partially_Refunded', 'partially_refunded'],
    ['Failed', 'failed'],
    ['Denied', 'failed'],
    ['Unclaimed', 'unknown'],
  ])('that the provider calls %s is %s', (word, status) => {
    expect(paymentStatusOf(word)).toBe(status);
  });

  it('is reported when it has changed, and when it is new and nothing else reports it', () => {
    const collected = { status: 'completed', amount, before: undefined } as const;
    expect(describeChanges([collected], false)).toBeUndefined();
    expect(describeChanges([collected], true)).toBe('A payment of 9.00 USD was collected.');
    const reversed = { status: 'reversed', amount, before: 'completed' } as const;
    const settled = { status: 'failed', amount, before: 'pending' } as const;
    expect(describeChanges([collected, reversed, settled], false)).toBe(
      'A payment of 9.00 USD was charged back. A payment of 9.00 USD failed.',
    );
  });

  it.each(['partially_refunded', 'refunded', 'reversed'] as const)(
    'is reported when it is new and already %s: no cycle shows that',
    (status) => {
      expect(describeChanges([{ status, amount, before: undefined }], false)).toContain('9.00 USD');
    },
  );

  it.each([
    [undefined, 'unknown', 'unknown'],
    [undefined, 'refunded', 'refunded'],
    ['completed', 'unknown', 'completed'],
    ['completed', 'reversed', 'reversed'],
    ['completed', 'partially_refunded', 'partially_refunded'],
    ['pending', 'completed', 'completed'],
    [undefined, 'pending', 'pending'],
    ['unknown', 'pending', 'pending'],
    ['completed', 'pending', 'completed'],
    ['failed', 'pending', 'failed'],
    ['reversed', 'refunded', 'reversed'],
    ['reversed', 'partially_refunded', 'reversed'],
    ['reversed', 'completed', 'completed'],
  ] as const)('that is %s on record and read as %s is %s from then on', (inBook, shown, status) => {
    expect(statusBeside(inBook, shown)).toBe(status);
  });

  it('counts as less returned when a read shows less of a refund or a chargeback', () => {
    expect(Object.fromEntries(subscriptionPaymentStatuses.map((each) => [each, less(each)]))).toEqual({
      pending: [],
      completed: [],
      partially_refunded: ['completed'],
      refunded: ['completed', 'partially_refunded'],
      reversed: ['completed'],
      failed: [],
      unknown: [],
    });
  });
});
