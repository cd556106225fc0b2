import { describe, expect, it } from 'vitest';
import { canChange, ITEM_CHANGES, type ItemChange } from '#sandbox/payouts/item-changes.js';
import { payItem, type PayingTerms } from '#sandbox/payouts/item-outcome.js';

const TERMS: PayingTerms = {
  batchOutcome: 'success',
  rules: [],
  unknownReceivers: 'success',
  settleMs: 7,
  dayLengthMs: 10,
};
const ITEM = { recipient_type: 'EMAIL', receiver: 'a@example.com', refused_as: null };
const DECLINE = { kind: 'decline' } as const;
const PENDING = { kind: 'pending', settlesAs: 'denied', afterMs: 5 } as const;

describe('the decision about a payout item', () => {
  it('follows its batch first, then refusals, a fault, a rule, the address, and the default', () => {
    const unclaimed = { ...TERMS, unknownReceivers: 'unclaimed' } as const;
    const named = { ...ITEM, receiver: 'a+onhold@example.com' };
    const ruled = { ...unclaimed, rules: [{ receiver: named.receiver, outcome: 'blocked' }] } as const;
    const refused = { ...named, refused_as: 'DUPLICATE_ITEM' } as const;
    const unfunded = { ...ruled, batchOutcome: 'unfunded' } as const;
    const statuses = [
      payItem(ITEM, unclaimed, null).status,
      payItem(named, unclaimed, null).status,
      payItem(named, ruled, null).status,
      payItem(named, ruled, PENDING).status,
      payItem(refused, ruled, PENDING).error,
      payItem(named, unfunded, PENDING).error,
    ];
    expect(statuses).toEqual([
      'UNCLAIMED',
      'ONHOLD',
      'BLOCKED',
      'PENDING',
      'DUPLICATE_ITEM',
      'INSUFFICIENT_FUNDS',
    ]);
  });

  it('gives an unclaimed item 30 days, and a pending one its time', () => {
    expect(payItem(ITEM, { ...TERMS, unknownReceivers: 'unclaimed' }, null).dueInMs).toBe(300);
    expect(payItem(ITEM, TERMS, PENDING)).toMatchObject({ dueInMs: 5, settlesAs: 'denied', event: null });
    expect(payItem({ ...ITEM, receiver: 'a+PENDING@example.com' }, TERMS, null).dueInMs).toBe(7);
    expect(payItem(ITEM, TERMS, DECLINE)).toMatchObject({ status: 'FAILED', dueInMs: null });
  });

  it('reads outcomes in e-mail addresses only, and only known ones', () => {
    const phone = { ...ITEM, recipient_type: 'PHONE', receiver: '+failed@1' };
    expect(payItem(phone, TERMS, null).status).toBe('SUCCESS');
    expect(payItem({ ...ITEM, receiver: 'a+constructor@example.com' }, TERMS, null).status).toBe('SUCCESS');
  });
});

describe('a payout item', () => {
  const changes = Object.keys(ITEM_CHANGES) as ItemChange[];

  it('cannot be changed before its turn', () => {
    for (const change of changes)
      expect(canChange({ status: 'PENDING', processed_at: null }, change)).toBe(false);
  });

  it.each(['FAILED', 'RETURNED', 'BLOCKED', 'REFUNDED', 'REVERSED'] as const)(
    'that is %s stays so',
    (status) => {
      for (const change of changes)
        expect(canChange({ status, processed_at: new Date() }, change)).toBe(false);
    },
  );
});
