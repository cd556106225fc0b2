import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { contentIn, contentOf, isAnotherContent } from './event-content.js';
import { type LeasedEvent, leasedColumns } from './event-lease.js';
import { changeTo, historyWith } from './event-status.js';
import type { EventContent } from '../schema/inbox-tables.js';
import type { Owner } from '../schema/owner.js';
import type { WebhookStatus } from '../schema/schema.js';
import { storableForeignJson, storableJson } from '../text/storable-text.js';
import { ownersTable } from '../tables/owners-table.js';
import type { NewWebhookEvent } from './webhook-events.js';

/**
 * The wait before the provider is asked again grows with the time since the event was contested, within these bounds.
 */
const firstWaitMs = 5_000;
const longestWaitMs = 300_000;

/** An event for whose id or transmission different contents came. Only the provider knows which one is true. */
export interface ContestedEvent extends LeasedEvent {
  /** The other contents under the id. */
  readonly other_contents: readonly EventContent[];
  readonly contestedForMs: number;
}

/**
 * Leases contested events that are due. Each is due again, after longer and longer waits, until it has another status.
 */
export async function leaseContestedEvents(
  db: Database,
  owners: readonly Owner[],
  limit: number,
): Promise<readonly ContestedEvent[]> {
  const age = sql<number>`extract(epoch from clock_timestamp() - status_at)::float8 * 1000`;
  const due = db
    .selectFrom('webhook_events')
    .select('id')
    .where('status', '=', 'contested')
    .where('due_at', '<=', sql<Date>`clock_timestamp()`)
    .where(sql<boolean>`(environment, application) in (${ownersTable(owners)})`)
    .orderBy('due_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return await db
    .updateTable('webhook_events')
    .set({
      dispatches: sql<number>`dispatches + 1`,
      due_at: sql<Date>`clock_timestamp() + least(greatest(clock_timestamp() - status_at,
        ${firstWaitMs} * interval '1 millisecond'), ${longestWaitMs} * interval '1 millisecond')`,
    })
    .where('id', 'in', due)
    .returning([...leasedColumns, 'other_contents', age.as('contestedForMs')])
    .execute();
}

/**
 * The content that came first under an event's id.
 *
 * @returns undefined once the provider has shown the true content: then no other one counts.
 */
export async function findFirstContent(db: Database, id: number): Promise<EventContent | undefined> {
  return await db
    .selectFrom('webhook_events')
    .select(['event_type as eventType', 'resource', 'resource_ids as resourceIds'])
    .where('id', '=', id)
    .where('shown_at', 'is', null)
    .executeTakeFirst();
}

const shownContent = 'the provider shows this content';

/**
 * Replaces the delivered content of an event with the one that the provider shows, and makes it due for dispatch. Does
 * nothing if the event is not contested and has the same content, or if the provider has shown it before.
 *
 * @returns the event's row id; undefined if there is nothing to do.
 */
export async function takeShownEvent(
  db: Database,
  { environment, application }: Owner,
  event: Omit<NewWebhookEvent, keyof Owner>,
): Promise<number | undefined> {
  const { eventId, eventType, resource, resourceIds, payload } = event;
  const differs = isAnotherContent(contentIn('webhook_events'), contentOf(event));
  // An event without a resource has no content that could differ.
  const isReplaced = sql<boolean>`(${differs} and resource->>'id' <> '')`;
  const row = await db
    .updateTable('webhook_events')
    .set({
      event_type: eventType,
      resource: storableJson(resource),
      resource_ids: [...resourceIds],
      payload: storableForeignJson(payload),
      first_content: sql<
        string | null
      >`case when ${isReplaced} then jsonb_build_object('eventType', event_type,
        'resource', resource, 'resourceIds', resource_ids) end`,
      contradictions: sql<number>`greatest(contradictions, ${isReplaced}::int)`,
      shown_at: sql<Date>`clock_timestamp()`,
      status: 'received',
      status_at: sql<Date>`clock_timestamp()`,
      due_at: sql<Date>`clock_timestamp()`,
      detail: shownContent,
      history: historyWith(sql<WebhookStatus>`'received'::text`, shownContent),
    })
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('event_id', '=', eventId)
    .where('shown_at', 'is', null)
    .where((where) => where.or([where('status', '=', 'contested'), differs]))
    .returning('id')
    .executeTakeFirst();
  return row?.id;
}

/**
 * The provider does not show the event, and the subjects of its contents were read: the event stays visible as a
 * conflict.
 */
export async function markAsConflict(
  db: Database,
  { id, dispatches }: Pick<ContestedEvent, 'id' | 'dispatches'>,
  detail: string,
): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set(changeTo('conflict', { detail }))
    .where('id', '=', id)
    .where('status', '=', 'contested')
    .where('dispatches', '=', dispatches)
    .execute();
}
