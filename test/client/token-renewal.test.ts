import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Tokens } from '#payments-client/transport/tokens.js';

// Only the clock is moved by hand: eight hours cannot be awaited.
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const HOUR_MS = 3_600_000;

it('a token of 28800 s is used for eight hours, and renewed in the last tenth of them', async () => {
  let requests = 0;
  const tokens = new Tokens(async () => ({ value: `token-${(requests += 1)}`, lifetimeSeconds: 28_800 }));
  expect(tokens.current()).toBeUndefined();
  await tokens.next();
  vi.advanceTimersByTime(7 * HOUR_MS);
  expect(tokens.current()).toBe('token-1');
  expect(requests).toBe(1);
  vi.advanceTimersByTime(0.5 * HOUR_MS);
  expect(tokens.current()).toBe('token-1');
  await expect.poll(() => tokens.current()).toBe('token-2');
  expect(requests).toBe(2);
});

it('a renewal that fails is tried again after a pause, not by every call', async () => {
  let requests = 0;
  const tokens = new Tokens(async () => {
    requests += 1;
    if (requests > 1) throw new Error('refused');
    return { value: 'first', lifetimeSeconds: 28_800 };
  });
  await tokens.next();
  vi.advanceTimersByTime(7.5 * HOUR_MS);
  for (let call = 0; call < 100; call += 1) {
    expect(tokens.current()).toBe('first');
    await Promise.resolve();
  }
  expect(requests).toBe(2);
  vi.advanceTimersByTime(30_000);
  expect(tokens.current()).toBe('first');
  expect(requests).toBe(3);
  vi.advanceTimersByTime(HOUR_MS);
  expect(tokens.current()).toBeUndefined();
  await expect(tokens.next()).rejects.toThrow('refused');
});
