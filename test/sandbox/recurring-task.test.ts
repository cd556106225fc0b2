import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type Found, type RecurringTask, startRecurringTask } from '#sandbox/clock/recurring-task.js';

const waits = { idleMs: 100, quietMs: 1_000 };

let found: Found;
let runs: number;
let during: (() => void) | undefined;
let takesMs: number;
let task: RecurringTask;

beforeEach(() => {
  vi.useFakeTimers();
  found = 'nothing';
  runs = 0;
  during = undefined;
  takesMs = 0;
  task = startRecurringTask('task', waits, pino({ level: 'silent' }), async () => {
    runs += 1;
    during?.();
    if (takesMs > 0) await new Promise((resolve) => setTimeout(resolve, takesMs));
    return found;
  });
});
afterEach(async () => {
  await task.stop();
  vi.useRealTimers();
});

/** The runs that begin within so many milliseconds. */
async function runsWithin(ms: number): Promise<number> {
  const before = runs;
  await vi.advanceTimersByTimeAsync(ms);
  return runs - before;
}

it('a task that finds nothing runs again after its usual wait', async () => {
  await runsWithin(50);
  expect(await runsWithin(1_000)).toBe(10);
});

it('a quiet task runs again after its long wait', async () => {
  found = 'quiet';
  await runsWithin(150);
  expect(await runsWithin(900)).toBe(0);
  expect(await runsWithin(100)).toBe(1);
});

it('a quiet task runs after its usual wait once something has changed, however much changes then', async () => {
  found = 'quiet';
  await runsWithin(150);
  task.stir();
  expect(await runsWithin(60)).toBe(0);
  task.stir();
  expect(await runsWithin(60)).toBe(1);
  expect(await runsWithin(900)).toBe(0);
});

it('a change during a quiet run is not overlooked', async () => {
  found = 'quiet';
  during = () => {
    task.stir();
    during = undefined;
  };
  await runsWithin(150);
  expect(await runsWithin(100)).toBe(1);
  expect(await runsWithin(900)).toBe(0);
});

it.each([
  ['the rest of its long wait', 600, 400],
  ['its usual wait', 5_000, 100],
])('a quiet task whose run took long runs again after %s', async (_, tookMs, waitMs) => {
  found = 'quiet';
  takesMs = tookMs;
  // After the first wait it runs, and ends.
  expect(await runsWithin(waits.idleMs + tookMs)).toBe(1);
  takesMs = 0;
  expect(await runsWithin(waitMs - 1)).toBe(0);
  expect(await runsWithin(1)).toBe(1);
});

it('a change during the run that follows a long wait leaves only the timer of the next wait', async () => {
  found = 'quiet';
  await runsWithin(150);
  during = () => {
    task.stir();
    during = undefined;
  };
  await runsWithin(1_000);
  expect(vi.getTimerCount()).toBe(1);
});

it('a woken task runs at once', async () => {
  found = 'quiet';
  await runsWithin(150);
  task.wake();
  expect(await runsWithin(0)).toBe(1);
});

it('a quiet task that is stopped ends without another run', async () => {
  found = 'quiet';
  await runsWithin(150);
  const before = runs;
  await task.stop();
  expect(runs).toBe(before);
});
