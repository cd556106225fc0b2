import { IllegalStateError } from '@temporalio/common';
import type { State } from '@temporalio/worker';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { pollToEnd, WorkerFailed } from '#worker/process/poll-to-end.js';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function worker() {
  const run = Promise.withResolvers<void>();
  const seen: { state: State } = { state: 'RUNNING' };
  return { seen, end: run, run: () => run.promise, getState: () => seen.state };
}

it('a worker that has failed is given up after its time, though the SDK never ends it', async () => {
  const one = worker();
  const ended = vi.fn<(error: unknown) => void>();
  pollToEnd(one, 5_000).catch(ended);
  await vi.advanceTimersByTimeAsync(3_600_000);
  one.seen.state = 'FAILED';
  await vi.advanceTimersByTimeAsync(5_000);
  expect(ended).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(ended).toHaveBeenCalledWith(expect.any(WorkerFailed));
});

it('ends as the SDK ends it, where it does, and watches no longer', async () => {
  const drained = worker();
  const polling = pollToEnd(drained, 5_000);
  drained.end.resolve();
  await expect(polling).resolves.toBeUndefined();
  const failed = worker();
  const failing = pollToEnd(failed, 5_000);
  failed.seen.state = 'FAILED';
  failed.end.reject(new Error('refused'));
  await expect(failing).rejects.toThrow('refused');
  expect(vi.getTimerCount()).toBe(0);
});

it('a worker that has stopped has ended, though the SDK had not disposed of a run whose task failed', async () => {
  const stopped = worker();
  const polling = pollToEnd(stopped, 5_000);
  stopped.end.reject(new IllegalStateError('Workflow execution context should have been disposed first'));
  await expect(polling).resolves.toBeUndefined();
  const misused = worker();
  const failing = pollToEnd(misused, 5_000);
  misused.end.reject(new IllegalStateError('Not running. Current state: STOPPED'));
  await expect(failing).rejects.toThrow('Not running');
});
