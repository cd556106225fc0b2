import { describe, expect, it } from 'vitest';
import { captureDeadline, nextDeliveryAttempt, REAL_DAY_MS } from '#sandbox/clock/instants.js';

const START = new Date('2030-01-01T00:00:00Z');

describe('the service’s clock', () => {
  it('lets an authorization be captured for 29 days, however long a day is', () => {
    expect(captureDeadline(START, REAL_DAY_MS).toISOString()).toBe('2030-01-30T00:00:00.000Z');
    expect(captureDeadline(START, 100).getTime() - START.getTime()).toBe(2900);
  });

  it('repeats a delivery 25 times, at growing intervals, over three days', () => {
    const instants = Array.from({ length: 25 }, (_, index) =>
      nextDeliveryAttempt(START, index + 1, REAL_DAY_MS)!,
    );
    const gaps = instants.map(
      (instant, index) => instant.getTime() - (instants[index - 1] ?? START).getTime(),
    );
    expect(gaps.every((gap, index) => gap > (gaps[index - 1] ?? 0))).toBe(true);
    expect(instants.at(-1)!.getTime() - START.getTime()).toBe(3 * REAL_DAY_MS);
    expect(nextDeliveryAttempt(START, 26, REAL_DAY_MS)).toBeNull();
  });
});
