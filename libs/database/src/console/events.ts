import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { newestOfHalves } from '../events/newest-of-halves.js';
import { waits } from '../events/webhook-event-list.js';
import type { Owner } from '../schema/owner.js';
import { ownersTable } from '../tables/owners-table.js';
import { ofSpan } from '../tables/rows-of-time.js';
import type { WebhookEventRow, WebhookStatus } from '../schema/schema.js';

export interface EventFilter extends Partial<Owner> {
  readonly status?: WebhookStatus | undefined;
  readonly type?: string | undefined;
  readonly subjectId?: string | undefined;
  /** The provider's id of the thing that the event is about, or of a parent of it. */
  readonly resourceId?: string | undefined;
  readonly from?: Date | undefined;
  readonly to?: Date | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

export type ListedEvent = Omit<WebhookEventRow, 'payload' | 'history' | 'other_contents' | 'first_content'>;

const shown = [
  'id',
  'environment',
  'application',
  'event_id',
  'event_type',
  'resource',
  'resource_ids',
  'status',
  'detail',
  'subject_id',
  'deliveries',
  'source',
  'dispatches',
  'due_at',
  'contradictions',
  'shown_at',
  'received_at',
  'status_at',
] as const;

/** The provider's events, the latest received one first. */
export async function listEvents(db: Database, filter: EventFilter): Promise<ListedEvent[]> {
  let events = db.selectFrom('webhook_events').select(shown);
  if (filter.environment !== undefined) events = events.where('environment', '=', filter.environment);
  if (filter.application !== undefined) events = events.where('application', '=', filter.application);
  if (filter.status !== undefined) {
    events = events.where('status', '=', filter.status);
    // Uses the partial index of the few waiting events.
    if (waits(filter.status)) events = events.where('due_at', 'is not', null);
  }
  if (filter.type !== undefined) events = events.where('event_type', '=', filter.type);
  if (filter.subjectId !== undefined) events = events.where('subject_id', '=', filter.subjectId);
  if (filter.resourceId !== undefined) {
    events = events.where(sql<boolean>`resource_ids @> array[${filter.resourceId}]::text[]`);
  }
  if (filter.from || filter.to) events = events.where(await ofSpan(db, 'webhook_events', filter));
  if (filter.before !== undefined) events = events.where('id', '<', filter.before);
  // Few events name an id.
  if (filter.resourceId !== undefined) events = newestOfHalves(events);
  else if (filter.type !== undefined) events = newestOfHalves(events, filter.limit);
  return await events.orderBy('id', 'desc').limit(filter.limit).execute();
}

/** Some of the events of some applications, the latest received one first. */
export async function findEventsByRow(
  db: Database,
  owners: readonly Owner[],
  ids: readonly number[],
): Promise<ListedEvent[]> {
  return await db
    .selectFrom('webhook_events')
    .select(shown)
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where(sql<boolean>`(environment, application) in (${ownersTable(owners)})`)
    .orderBy('id', 'desc')
    .execute();
}
