import { describe, expect, it } from 'vitest';
import { fieldsOf } from '#bench/contest/fields.js';
import { residentMiB } from '#bench/harness/resident-memory.js';
import { measured, measuredRatio, median, rounded } from '#bench/harness/statistics.js';
import { surroundingsNow } from '#bench/harness/surroundings.js';

describe('the figures of the bench', () => {
  it('takes the middle value, and the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 100])).toBe(3.5);
    expect(() => median([])).toThrow(RangeError);
  });

  it('shows minimum and maximum beside the median', () => {
    expect(measured([3, 1, 2])).toEqual({ value: 2, spread: [1, 3] });
  });

  it('compares round by round, so that a slow round affects both sides', () => {
    expect(measuredRatio([10, 1, 30], [5, 0.5, 10])).toEqual({ value: 2, spread: [2, 3] });
  });

  it('rounds value and spread to the same digits', () => {
    expect(rounded({ value: 1.005_9, spread: [0.994_9, 2] })).toEqual({ value: 1.01, spread: [0.99, 2] });
  });

  it('names each spread as its figure is named, at any depth, and gives a plain number none', () => {
    const verdict = { ratio: measured([1, 3]), events: { sale: measured([13]) }, runs: 10 };
    expect(fieldsOf(verdict)).toEqual({
      figures: { ratio: 2, events: { sale: 13 }, runs: 10 },
      spread: { ratio: [1, 3], events: { sale: [13, 13] }, runs: [10, 10] },
    });
  });

  it('says so where the machine was busy before', () => {
    expect(surroundingsNow(1.6).warning).toContain('load average of 1.6');
    expect(surroundingsNow(0.4)).not.toHaveProperty('warning');
  });

  it.runIf(process.platform === 'linux')('adds up the memory of the processes of a part', () => {
    const { one, two } =
      residentMiB({ one: [process.pid, undefined], two: [process.pid, process.pid] }) ?? {};
    expect(one).toBeGreaterThan(10);
    expect(two).toBeGreaterThan((one ?? 0) * 1.5);
  });
});
