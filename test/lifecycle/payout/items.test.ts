import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type ItemStatus,
  isOpenItem,
  itemStatusOf,
  itemStatuses,
  pairsReadAs,
  readingOf,
} from '#workflows/lifecycle/payout/item.js';
import { isAlreadyKnown } from '#workflows/lifecycle/payout';
import { isOfEndedItem } from '#workflows/lifecycle/payout/notification.js';
import { now, payout } from './sample-payouts.js';

const reported = (state: string) => ({ kind: 'payout_item', id: 'ITEM-1', state }) as const;

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

  it('tells nothing new when it is the known one', () => {
    expect(itemStatuses.map((status) => readingOf(status, status))).toEqual(itemStatuses.map(() => 'same'));
  });

  it('is found among the pairs of its reading, and of no other', () => {
    expect(pairsReadAs('older')).toContainEqual({ known: 'refunded', shown: 'success' });
    const readings = ['same', 'moved', 'older', 'contradiction'] as const;
    for (const reading of readings)
      for (const { known, shown } of pairsReadAs(reading)) expect(readingOf(known, shown)).toBe(reading);
    expect(readings.flatMap(pairsReadAs)).toHaveLength(itemStatuses.length ** 2);
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
    expect(isAlreadyKnown(payout('processing'), reported('SUCCESS'))).toBe(true);
    expect(isAlreadyKnown(payout('settling', { readAt: now }), reported('RETURNED'))).toBe(true);
    expect(isAlreadyKnown(payout('settling'), reported('RETURNED'))).toBe(false);
  });

  it('starts a read of an ended payout only for money that was returned', () => {
    expect(isAlreadyKnown(payout('completed'), reported('SUCCESS'))).toBe(true);
    expect(isAlreadyKnown(payout('completed'), reported('REFUNDED'))).toBe(false);
  });

  it.each([
    ['REFUNDED', 'settling', true],
    ['REVERSED', 'settling', true],
    ['RETURNED', 'settling', false],
    ['RETURNED', 'completed', true],
    ['SUCCESS', 'completed', false],
    ['UNCLAIMED', 'completed', false],
    ['ON_MARS', 'completed', false],
  ] as const)('%s of a payout that is %s tells of an item that had ended: %s', (word, status, isSo) => {
    expect(isOfEndedItem(payout(status), reported(word))).toBe(isSo);
    expect(isOfEndedItem(payout(status), { ...reported(word), kind: 'payout' })).toBe(false);
  });
});
