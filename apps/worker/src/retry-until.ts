import { setTimeout as wait } from 'node:timers/promises';

const firstWaitMs = 250;
const longestWaitMs = 5_000;

/** Tries until it succeeds: what a process needs at its start may be a moment behind it. Rejects when aborted. */
export async function retryUntil<T>(attempt: () => Promise<T>, signal: AbortSignal): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, waitMs * 2)) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch {
      await wait(waitMs, undefined, { signal });
    }
  }
}
