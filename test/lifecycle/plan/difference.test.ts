import { describe, expect, it } from 'vitest';
import { type ShownPlan, differencesOf } from '#workflows/lifecycle/plan';
import { plan } from './sample-plans.js';

const regular = { type: 'REGULAR', frequency: 'MONTH', interval: 1, cycles: 12, minor: 1_000 } as const;
const shownAs = (shown: string, terms: Partial<ShownPlan> = {}): ShownPlan => ({
  shown,
  phases: [regular],
  setupFeeMinor: 0,
  ...terms,
});

describe('the difference between a plan and the provider’s plan', () => {
  it.each([
    ['active', 'ACTIVE'],
    ['inactive', 'INACTIVE'],
    ['deleted', 'DELETED'],
    ['declined', 'CREATED'],
    ['activating', 'CREATED'],
  ] as const)('is nothing when one that is %s is shown as %s', (status, shown) => {
    expect(differencesOf(plan(status), shownAs(shown))).toEqual([]);
    expect(differencesOf(plan(status), { shown })).toEqual([]);
  });

  it('is that it can be subscribed to, and should not be', () => {
    for (const status of ['inactive', 'deleted', 'declined'] as const) {
      expect(differencesOf(plan(status), shownAs('ACTIVE'))).toEqual([
        { field: 'plan', ours: status, theirs: 'active' },
      ]);
    }
  });

  it('is that it cannot be subscribed to, and should be', () => {
    expect(differencesOf(plan('active'), shownAs('INACTIVE'))).toEqual([
      { field: 'plan', ours: 'active', theirs: 'inactive' },
    ]);
  });

  it('is what its payers will be billed', () => {
    const trial = { ...regular, type: 'TRIAL', cycles: 1, minor: 0 } as const;
    const terms = { phases: [trial, { ...regular, minor: 1_200, cycles: 0 }], setupFeeMinor: 500 };
    expect(differencesOf(plan('active'), shownAs('ACTIVE', terms))).toEqual([
      { field: 'trial phase', ours: 'none', theirs: '0.00 USD every 1 MONTH, 1 times' },
      {
        field: 'regular phase',
        ours: '10.00 USD every 1 MONTH, 12 times',
        theirs: '12.00 USD every 1 MONTH, without end',
      },
      { field: 'setup fee', ours: '0.00 USD', theirs: '5.00 USD' },
    ]);
  });
});
