import type { Database } from '../connection/database.js';
import { instantIn } from './event-status.js';

/**
 * The events that the sweep must dispatch, oldest first: left by the immediate dispatch, or by a dispatcher that died.
 */
export async function findDueEvents(db: Database, limit: number): Promise<{ id: number }[]> {
  return await db
    .selectFrom('webhook_events')
    .select('id')
    .where('status', 'in', ['received', 'dispatching'])
    .where('due_at', '<=', instantIn(0))
    .orderBy('due_at')
    .limit(limit)
    .execute();
}
