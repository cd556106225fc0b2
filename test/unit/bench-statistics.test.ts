import { describe, expect, it } from 'vitest';
import { fieldsOf } from '#bench/harness/fields.js';
import { latencyFields } from '#bench/contest/latencies.js';
import { measureOpenLoad } from '#bench/contest/open-load.js';
import { residentMiB } from '#bench/harness/resident-memory.js';
import { measured, measuredRatio, median, percentile, rounded } from '#bench/harness/statistics.js';
import { surroundingsNow } from '#bench/harness/surroundings.js';

describe('the figures of the bench', () => {
  it('takes the middle value, and the mean of the two middle ones', () => {
    expect(median([9, 1, 5])).toBe(5);
    expect(median([4, 1, 3, 100])).toBe(3.5);
    expect(() => median([])).toThrow(RangeError);
  });

  it('takes the least value that so many do not exceed', () => {
    const hundred = Array.from({ length: 100 }, (_, at) => 100 - at);
    expect([0.5, 0.95, 0.99, 1].map((share) => percentile(hundred, share))).toEqual([50, 95, 99, 100]);
    expect(percentile([7], 0.99)).toBe(7);
    expect(() => percentile([], 0.5)).toThrow(RangeError);
  });

  it('takes percentiles of all rounds together, and shows how far the rounds differ', () => {
    const rounds = [
      [1, 2, 3],
      [10, 20, 30],
    ].map((all) => all.map((ms) => ({ lifecycle: ms, order: ms, payerReturned: ms, capture: ms })));
    const { half } = latencyFields({ alone: rounds, half: rounds, fourFifths: rounds });
    expect(half.order.p50).toEqual({ value: 3, spread: [2, 20] });
    expect(half.capture.p99).toEqual({ value: 30, spread: [3, 30] });
  });

  it('orders come under an open load although none is answered', async () => {
    const answers: (() => void)[] = [];
    const silent = {
      order: async () =>
        await new Promise<never>((_, reject) => answers.push(() => reject(new Error('none')))),
    };
    const load = measureOpenLoad(
      silent as never,
      {} as never,
      { perSecond: 2_000, forMs: 50 },
      new AbortController().signal,
    );
    await expect.poll(() => answers.length, { timeout: 10_000 }).toBeGreaterThan(10);
    const asked = setInterval(() => answers.splice(0).forEach((answer) => answer()), 1);
    expect((await load).failures).toBeGreaterThan(10);
    clearInterval(asked);
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
      ratio: 2,
      events: { sale: 13 },
      runs: 10,
      spread: { ratio: [1, 3], events: { sale: [13, 13] }, runs: [10, 10] },
    });
  });

  it('says so where the machine was busy before', () => {
    expect(surroundingsNow(1.6).warning).toContain('load average of 1.6');
    expect(surroundingsNow(0.4)).not.toHaveProperty('warning');
  });

  it.runIf(process.platform === 'linux')('adds up the memory of the processes of a part', () => {
    const own = { pid: process.pid };
    const { api = 0, worker = 0 } =
      residentMiB({ apis: [own, { pid: undefined }], workers: [own, own] } as never) ?? {};
    expect(api).toBeGreaterThan(10);
    expect(worker).toBeGreaterThan(api * 1.5);
  });
});
