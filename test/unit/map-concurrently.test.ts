import { describe, expect, it } from 'vitest';
import { mapConcurrently } from '#worker/reconciliation/map-concurrently.js';

const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

async function failsFor(isFaulty: (n: number) => boolean, count: number) {
  const tried: number[] = [];
  const { done, failed } = await mapConcurrently(4, numbers(count), async (n) => {
    tried.push(n);
    await Promise.resolve();
    if (isFaulty(n)) throw new Error(`planted ${n}`);
  });
  return { tried: tried.length, done, failed: failed.map(({ item }) => item) };
}

describe('concurrent work on many items', () => {
  it('is done for all others when one fails, even the first', async () => {
    expect(await failsFor((n) => n % 100 === 0, 300)).toEqual({
      tried: 300,
      done: 297,
      failed: [0, 100, 200],
    });
  });

  it('stops soon when there are only failures', async () => {
    const { tried, done } = await failsFor(() => true, 300);
    expect(done).toBe(0);
    expect(tried).toBeLessThan(20);
  });
});
