import { setTimeout as wait } from 'node:timers/promises';

/**
 * A look at a running system is work for it, and all tests of a run wait for the same servers. So it looks often at
 * first, and later at most five times a second.
 */
const firstWaitMs = 25;
const longestWaitMs = 200;

/** Looks again and again until the condition holds. @throws with the last thing seen when it never does. */
export async function until<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  what: string,
  withinMs = 300_000,
): Promise<T> {
  const begin = performance.now();
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    const elapsed = performance.now() - begin;
    if (elapsed > withinMs)
      throw new Error(`timed out waiting for ${what}; last seen: ${JSON.stringify(seen)}`);
    await wait(Math.min(longestWaitMs, firstWaitMs + elapsed / 20));
  }
}
