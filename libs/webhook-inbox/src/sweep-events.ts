import type { Database } from '../../database/src/database.js';
import { findUndispatchedEvents, unparkWebhookEvents } from '../../database/src/webhook-events.js';
import type { EventDispatch } from './event-dispatch.js';

export interface Sweep {
  /** Younger ones are the immediate dispatch's own, in milliseconds. */
  readonly olderThanMs: number;
  /** Events in one sweep. */
  readonly atMost: number;
  /** Dispatched at the same time. */
  readonly abreast: number;
}

export interface SweepResult {
  readonly dispatched: number;
  /** Left for the next sweep: Temporal or the database was away. */
  readonly failed: number;
}

/** Dispatches what was left behind: by a process that died, while Temporal was away, or parked until its payment was known. */
export async function sweepEvents(
  db: Database,
  dispatch: EventDispatch,
  { olderThanMs, atMost, abreast }: Sweep,
): Promise<SweepResult> {
  const since = new Date(Date.now() - olderThanMs);
  const unparked = await unparkWebhookEvents(db, since, atMost);
  const left = await findUndispatchedEvents(db, since, atMost);
  const waiting = [...new Set([...unparked, ...left].map(({ id }) => id))];
  let dispatched = 0;
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await dispatch.dispatch(id);
        dispatched += 1;
      } catch {
        // Its lease ends, and the next sweep takes it up again.
        failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: abreast }, work));
  return { dispatched, failed };
}
