import { heartbeat } from '@temporalio/activity';

const everyMs = 3_000;

/** Tells Temporal that this worker lives, for as long as the work lasts: one that does not is replaced soon. */
export async function withSignsOfLife<T>(work: () => Promise<T>): Promise<T> {
  heartbeat();
  const beat = setInterval(() => heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
