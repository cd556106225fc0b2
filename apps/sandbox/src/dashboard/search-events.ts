import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import { cursor, periodFilters, text, writeCursor } from '../calls/call-filters.js';
import type { EventRow, Tables } from '../database/tables.js';
import { orAbsent } from '../http/validation.js';

/** Failing: given up, or tried in vain and due again. */
export const DELIVERY_STATES = ['failing', 'pending', 'delivered', 'abandoned', 'dropped'] as const;

export const eventFilters = z.object({
  /** Events with a delivery in this state. */
  deliveries: orAbsent(z.enum(DELIVERY_STATES)),
  clientId: orAbsent(text),
  environment: orAbsent(z.enum(['sandbox', 'live'])),
  eventType: orAbsent(text),
  /** Includes what the event's resource belongs to, such as the payment of a capture. */
  transactionId: orAbsent(text),
  ...periodFilters,
  before: orAbsent(cursor),
  after: orAbsent(cursor),
});

export type EventFilters = z.output<typeof eventFilters>;

export type FoundEvent = Pick<
  EventRow,
  'id' | 'client_id' | 'event_type' | 'resource_type' | 'resource_id' | 'created_at' | 'is_simulated'
> & {
  /** States of its deliveries, each one once, with their counts. */
  deliveries: string | null;
};

/** Events of every application by keyset, newest first; cursors as in the call history. */
export async function searchEvents(
  database: Kysely<Tables>,
  filters: EventFilters,
  limit: number,
): Promise<{ events: FoundEvent[]; older: string | null; newer: string | null }> {
  const { before, after } = filters;
  const isForward = after !== undefined && before === undefined;
  let page = narrowed(database, filters);
  if (before !== undefined) page = page.where(sql<boolean>`(created_at, id) < (${before.at}, ${before.id})`);
  if (after !== undefined) page = page.where(sql<boolean>`(created_at, id) > (${after.at}, ${after.id})`);
  const direction = isForward ? 'asc' : 'desc';
  const rows = await page
    .select(['id', 'client_id', 'event_type', 'resource_type', 'resource_id', 'created_at', 'is_simulated'])
    .select(
      sql<string | null>`(
      SELECT string_agg(number || ' ' || state, ', ' ORDER BY state) FROM (
        SELECT state, count(*) AS number FROM deliveries WHERE event_id = events.id GROUP BY state) AS states
    )`.as('deliveries'),
    )
    .orderBy('created_at', direction)
    .orderBy('id', direction)
    .limit(limit + 1)
    .execute();
  const events = isForward ? rows.slice(0, limit).toReversed() : rows.slice(0, limit);
  const hasMore = rows.length > limit;
  const place = (event: FoundEvent | undefined, isThere: boolean) =>
    event !== undefined && isThere ? writeCursor(event.created_at, event.id) : null;
  return {
    events,
    older: place(events.at(-1), isForward || hasMore),
    newer: place(events[0], isForward ? hasMore : before !== undefined),
  };
}

/** A condition on `deliveries`. An attempt that is postponed leaves no row; one that runs has no duration yet. */
export const IS_FAILING = sql<boolean>`(deliveries.state = 'abandoned' OR deliveries.state = 'pending'
  AND deliveries.attempts > 0 AND EXISTS (
    SELECT FROM delivery_attempts WHERE delivery_id = deliveries.id AND duration_ms IS NOT NULL))`;

function narrowed(database: Kysely<Tables>, filters: EventFilters) {
  let query = database.selectFrom('events');
  const { clientId, environment, transactionId } = filters;
  if (clientId !== undefined) query = query.where('client_id', '=', clientId);
  if (environment !== undefined)
    query = query.where('client_id', 'in', (owned) =>
      owned
        .selectFrom('applications')
        .innerJoin('accounts', 'accounts.id', 'applications.account_id')
        .select('applications.client_id')
        .where('accounts.environment', '=', environment),
    );
  if (filters.eventType !== undefined) query = query.where('event_type', '=', filters.eventType);
  const { deliveries } = filters;
  if (deliveries !== undefined)
    query = query.where('id', 'in', (found) =>
      found
        .selectFrom('deliveries')
        .select('event_id')
        .where(deliveries === 'failing' ? IS_FAILING : sql<boolean>`deliveries.state = ${deliveries}`),
    );
  if (filters.from !== undefined) query = query.where('created_at', '>=', filters.from);
  if (filters.to !== undefined) query = query.where('created_at', '<=', filters.to);
  if (transactionId === undefined) return query;
  // Through the applications, because the index of the subjects begins with them.
  return query.where('id', 'in', (subjects) =>
    subjects
      .selectFrom('applications')
      .innerJoin('event_subjects', 'event_subjects.client_id', 'applications.client_id')
      .select('event_subjects.event_id')
      .where('event_subjects.subject_id', '=', transactionId),
  );
}
