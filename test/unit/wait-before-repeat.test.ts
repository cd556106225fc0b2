import { expect, it } from 'vitest';
import { waitBeforeRepeat } from '#workflows/run/wait-before-repeat.js';

const waits = (comesAgainInMs: number | undefined, repeats: readonly number[]) =>
  repeats.map((nth) =>
    waitBeforeRepeat({ isLate: true, ...(comesAgainInMs !== undefined && { comesAgainInMs }) }, nth),
  );

it('a step without a place waits longer each time, so that a long flood adds few events to its history', () => {
  expect(waits(10_000, [0, 1, 2, 3])).toEqual([10_000, 12_000, 14_400, 17_280]);
  expect(waits(100, [0, 47, 48, 5_000])).toEqual([100, 526646, 600_000, 600_000]);
});

it('a step that was late is repeated at once, and each minute at most while the clock is behind', () => {
  expect(waits(undefined, [0, 1, 2, 3, 4, 5, 5_000])).toEqual([1, 10, 100, 1_000, 10_000, 60_000, 60_000]);
});
