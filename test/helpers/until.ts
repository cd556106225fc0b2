import { setTimeout as wait } from 'node:timers/promises';

/** Looks again and again until the condition holds. @throws with the last thing seen when it never does. */
export async function until<T>(
  look: () => Promise<T>,
  holds: (seen: T) => boolean,
  what: string,
  withinMs = 300_000,
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    const seen = await look();
    if (holds(seen)) return seen;
    if (Date.now() > deadline)
      throw new Error(`timed out waiting for ${what}; last seen: ${JSON.stringify(seen)}`);
    await wait(50);
  }
}
