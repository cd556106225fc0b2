import { heartbeat } from '@temporalio/activity';

const everyMs = 3_000;

/** Sends heartbeats to Temporal while the work runs, so that the activity of a dead worker is retried soon. */
export async function withSignsOfLife<T>(work: () => Promise<T>): Promise<T> {
  heartbeat();
  const beat = setInterval(() => heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(beat);
  }
}
