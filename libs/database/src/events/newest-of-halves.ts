import { type SelectQueryBuilder, sql } from 'kysely';
import type { EngineTables } from '../schema/schema.js';

/**
 * The same events, found in two halves: those that wait for nothing have indexes by type and by resource, into which an
 * event comes only once; the others are few.
 *
 * @param limit of the page, where more events may be found: of each half no more are needed. Without it the planner
 *   cannot prefer to read all events by age until there are enough.
 */
export function newestOfHalves<Row>(
  events: SelectQueryBuilder<EngineTables, 'webhook_events', Row>,
  limit?: number,
): SelectQueryBuilder<EngineTables, 'webhook_events', Row> {
  const all = events.clearSelect().select('id');
  const ids = limit === undefined ? all : all.orderBy('id', 'desc').limit(limit);
  const halves = sql`(${ids.where('due_at', 'is', null)}) union all (${ids.where('due_at', 'is not', null)})`;
  return events.where(sql<boolean>`id = any(array(${halves}))`);
}
