import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ItemStatus,
  isOpenItem,
  itemStatusOf,
  itemStatuses,
  readingOf,
} from '#workflows/lifecycle/payout/item.js';
import { isAlreadyKnown } from '#workflows/lifecycle/payout';
import { now, payout } from './sample-payouts.js';

const told = (state: string) => ({ kind: 'payout_item', id: 'ITEM-1', state }) as const;

const anyStatus = fc.constantFrom(...itemStatuses);

describe('the status that a read shows of an item', () => {
  it('never moves it back, in whatever order reads come', () => {
    fc.assert(
      fc.property(anyStatus, fc.array(anyStatus, { maxLength: 20 }), (first, shown) => {
        const been: ItemStatus[] = [first];
        for (const status of shown) {
          const known = been.at(-1) ?? first;
          if (readingOf(known, status) === 'moved') been.push(status);
        }
        expect(new Set(been).size).toBe(been.length);
      }),
    );
  });

  it.each([
    ['success', 'reversed', 'moved'],
    ['success', 'refunded', 'moved'],
    ['unclaimed', 'returned', 'moved'],
    ['success', 'pending', 'older'],
    ['refunded', 'success', 'older'],
    ['failed', 'success', 'contradiction'],
    ['returned', 'success', 'contradiction'],
    ['blocked', 'failed', 'contradiction'],
  ] as const)('known as %s and shown as %s is read as %s', (known, shown, reading) => {
    expect(readingOf(known, shown)).toBe(reading);
  });

  it('changes an end only when money that was paid is returned', () => {
    for (const known of itemStatuses.filter((status) => !isOpenItem(status))) {
      const next = itemStatuses.filter((shown) => readingOf(known, shown) === 'moved');
      expect(next).toEqual(known === 'success' ? ['refunded', 'reversed'] : []);
    }
  });

  it('tells nothing when the word is unknown', () => {
    expect([itemStatusOf('ON_MARS'), itemStatusOf(undefined), itemStatusOf('QUEUED')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(itemStatusOf('UNCLAIMED')).toBe('unclaimed');
  });
});

describe('an event of an item', () => {
  it('starts no read of a run that will read the item anyway', () => {
    expect(isAlreadyKnown(payout('processing'), told('SUCCESS'))).toBe(true);
    expect(isAlreadyKnown(payout('settling', { readAt: now }), told('RETURNED'))).toBe(true);
    expect(isAlreadyKnown(payout('settling'), told('RETURNED'))).toBe(false);
  });

  it('starts a read of an ended payout only for money that was returned', () => {
    expect(isAlreadyKnown(payout('completed'), told('SUCCESS'))).toBe(true);
    expect(isAlreadyKnown(payout('completed'), told('REFUNDED'))).toBe(false);
  });
});
