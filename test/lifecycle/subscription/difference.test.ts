import { describe, expect, it } from 'vitest';
import { differencesOf } from '#workflows/lifecycle/subscription';
import { facts, subscription } from './sample-subscriptions.js';

describe('the difference between a subscription and its agreement', () => {
  it.each([
    ['pending', 'Pending'],
    ['active', 'Active'],
    ['suspended', 'Suspended'],
    ['cancelled', 'Cancelled'],
    ['expired', 'Expired'],
  ] as const)('is nothing when %s is shown as %s', (status, shown) => {
    expect(differencesOf(subscription(status), facts(shown))).toEqual([]);
  });

  it('is an agreement that is still billed after its end', () => {
    expect(differencesOf(subscription('cancelled'), facts('Active', { cyclesCompleted: 3 }))).toEqual([
      { field: 'agreement', ours: 'cancelled', theirs: 'active' },
      { field: 'cycles', ours: '2', theirs: '3' },
    ]);
  });

  it('is what is owed, and an unknown status', () => {
    expect(differencesOf(subscription('active'), facts('Frozen', { outstandingMinor: 1_000 }))).toEqual([
      { field: 'agreement', ours: 'active', theirs: 'Frozen' },
      { field: 'outstanding', ours: '0.00 USD', theirs: '10.00 USD' },
    ]);
  });
});
