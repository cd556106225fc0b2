import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { contentIn, contentOf, isAnotherContent } from './event-content.js';
import { type LeasedEvent, leasedColumns } from './event-lease.js';
import { changeTo, historyWith } from './event-status.js';
import type { EventContent } from '../schema/inbox-tables.js';
import type { Owner } from '../schema/owner.js';
import type { WebhookStatus } from '../schema/schema.js';
import { storableForeignJson, storableJson } from '../text/storable-text.js';
import type { NewWebhookEvent } from './webhook-events.js';

/** The provider is asked again after as long as an event has been contested, within these bounds. */
const firstWaitMs = 5_000;
const longestWaitMs = 300_000;

/** An event under whose id, or transmission, different contents came: what is true, only the provider can tell. */
export interface ContestedEvent extends LeasedEvent {
  /** What came under the id besides. */
  readonly other_contents: readonly EventContent[];
  readonly contestedForMs: number;
}

/** Takes contested events whose turn it is; each comes again, later and later, until it has another status. */
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
    .where(
      sql<boolean>`(environment, application) in (select * from unnest(
        ${owners.map(({ environment }) => environment)}::text[],
        ${owners.map(({ application }) => application)}::text[]))`,
    )
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

const shownContent = 'the provider shows this content';

/**
 * Puts an event as the provider itself shows it in the place of what was delivered, and has it dispatched. Does nothing
 * to an event that is not contested and says the same, nor to one that the provider has shown before.
 *
 * @returns the event's number; undefined where there is nothing to be done.
 */
export async function takeShownEvent(
  db: Database,
  { environment, application }: Owner,
  event: Omit<NewWebhookEvent, keyof Owner>,
): Promise<number | undefined> {
  const { eventId, eventType, resource, resourceIds, payload } = event;
  const differs = isAnotherContent(contentIn('webhook_events'), contentOf(event));
  // One that named no resource has told nothing that could be another content.
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

/** The provider does not show the event, and what its contents are about was read: it stays in sight. */
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
