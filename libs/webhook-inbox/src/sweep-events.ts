import type { Database } from '#database/connection';
import { findDueEvents, unparkWebhookEvents } from '#database/events';
import type { EventDispatch } from './event-dispatch.js';

export interface Sweep {
  /**
   * The most events of one sweep, and the most parked events read again: separate limits, so that neither blocks
   * the other.
   */
  readonly atMost: number;
  /** Dispatched at the same time. */
  readonly concurrency: number;
}

export interface SweepResult {
  readonly dispatched: number;
  /** The number of events left for a later sweep, because Temporal or the database was away. */
  readonly failed: number;
  /** Whether more events may be due. */
  readonly hasMore: boolean;
}

/**
 * Dispatches the events that were left: by a process that died, while Temporal was away, or parked until their payment
 * was known.
 */
export async function sweepEvents(
  db: Database,
  dispatch: EventDispatch,
  { atMost, concurrency }: Sweep,
): Promise<SweepResult> {
  const { read } = await unparkWebhookEvents(db, atMost);
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
        // It was given back, or its lease will end: a later sweep dispatches it.
        failed += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return { dispatched, failed, hasMore: read === atMost || due.length === atMost };
}
