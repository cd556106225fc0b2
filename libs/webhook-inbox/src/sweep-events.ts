import type { Database } from '#database/connection';
import { findDueEvents } from '#database/events';
import { unparkWebhookEvents } from '#database/transitions';
import type { EventDispatch } from './event-dispatch.js';

export interface Sweep {
  /** Events in one sweep, and as many parked ones looked at again: neither can starve the other. */
  readonly atMost: number;
  /** Dispatched at the same time. */
  readonly concurrency: number;
}

export interface SweepResult {
  readonly dispatched: number;
  /** Left for a later sweep: Temporal or the database was away. */
  readonly failed: number;
  /** Whether there may be more that is due. */
  readonly hasMore: boolean;
}

/** Dispatches what was left behind: by a process that died, while Temporal was away, or parked until its payment was known. */
export async function sweepEvents(
  db: Database,
  dispatch: EventDispatch,
  { atMost, concurrency }: Sweep,
): Promise<SweepResult> {
  const { looked } = await unparkWebhookEvents(db, atMost);
  const due = await findDueEvents(db, atMost);
  const waiting = due.map(({ id }) => id);
  let dispatched = 0;
  let failed = 0;
  const work = async (): Promise<void> => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      try {
        await dispatch.dispatch(id);
        dispatched += 1;
      } catch {
        // It was given back, or its lease ends: a later sweep takes it up again.
        failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { dispatched, failed, hasMore: looked === atMost || due.length === atMost };
}
