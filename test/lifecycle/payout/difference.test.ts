import { describe, expect, it } from 'vitest';
import { differencesOf, itemDifferences } from '#workflows/lifecycle/payout';
import { order, payout } from './sample-payouts.js';

const standing = (status: 'success' | 'refunded' | 'unclaimed', minor = 1_000) => ({
  status,
  minor,
  currency: 'USD',
});

const shown = (batchStatus: string) => ({ batchStatus, total: order.total });

describe('the difference between a payout and its batch', () => {
  it.each([
    ['processing', 'PENDING'],
    ['processing', 'PROCESSING'],
    ['settling', 'SUCCESS'],
    ['completed', 'SUCCESS'],
    ['denied', 'DENIED'],
    ['cancelled', 'CANCELED'],
  ] as const)('is nothing when one that is %s is shown as %s', (status, batchStatus) => {
    expect(differencesOf(payout(status), shown(batchStatus))).toEqual([]);
    expect(differencesOf(payout(status), { batchStatus })).toEqual([]);
  });

  it.each([
    ['processing', 'DENIED'],
    ['completed', 'DENIED'],
    ['denied', 'SUCCESS'],
    ['cancelled', 'PROCESSING'],
  ] as const)('is that one is %s, and shown as %s', (status, batchStatus) => {
    expect(differencesOf(payout(status), shown(batchStatus))).toEqual([
      { field: 'batch', ours: status, theirs: batchStatus.toLowerCase() },
    ]);
  });

  it('is another total, and an item that is unknown, not shown, of another amount, or changed', () => {
    const total = { minor: 2_000, currency: 'USD' };
    expect(differencesOf(payout('completed'), { batchStatus: 'SUCCESS', total })).toEqual([
      { field: 'total', ours: '30.00 USD', theirs: '20.00 USD' },
    ]);
    expect(
      itemDifferences([
        { itemId: 'a', ours: standing('success'), theirs: standing('refunded') },
        { itemId: 'b', ours: standing('success'), theirs: standing('success', 900) },
        { itemId: 'c', theirs: standing('success') },
        { itemId: 'f', ours: standing('success') },
        // A read that lags, and one that agrees.
        { itemId: 'd', ours: standing('success'), theirs: standing('unclaimed') },
        { itemId: 'e', ours: standing('success'), theirs: standing('success') },
      ]),
    ).toEqual([
      { field: 'item a', ours: 'success 10.00 USD', theirs: 'refunded 10.00 USD' },
      { field: 'item b', ours: 'success 10.00 USD', theirs: 'success 9.00 USD' },
      { field: 'item c', ours: 'unknown', theirs: 'success 10.00 USD' },
      { field: 'item f', ours: 'success 10.00 USD', theirs: 'not shown' },
    ]);
  });
});
