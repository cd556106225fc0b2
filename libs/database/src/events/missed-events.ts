import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { contentIn, isAnotherContent } from './event-content.js';
import { changeTo } from './event-status.js';
import type { Owner } from '../schema/owner.js';
import { storableJson } from '../text/storable-text.js';
import type { NewWebhookEvent } from './webhook-events.js';

/**
 * Which of these events the inbox lacks in the form that the provider shows: missing, without their resource, or with
 * another content.
 */
export async function findMissingEvents<
  Event extends Pick<NewWebhookEvent, 'eventId' | 'eventType' | 'resource' | 'resourceIds'>,
>(db: Database, { environment, application }: Owner, events: readonly Event[]): Promise<readonly Event[]> {
  if (events.length === 0) return [];
  const shown = events.map(({ eventId, eventType, resource, resourceIds }, place) => ({
    place,
    event_id: eventId,
    event_type: eventType,
    resource,
    resource_ids: resourceIds,
  }));
  const { rows } = await sql<{ place: number }>`
    select place
    from jsonb_to_recordset(${storableJson(shown)}::jsonb)
      as shown (place integer, event_id text, event_type text, resource jsonb, resource_ids text[])
    left join webhook_events held on held.environment = ${environment} and held.application = ${application}
      and held.event_id = shown.event_id
    where held.id is null or (held.shown_at is null and shown.resource->>'id' <> '' and (held.status = 'contested'
      or ${isAnotherContent(contentIn('held'), contentIn('shown'))}))`.execute(db);
  const missing = new Set(rows.map(({ place }) => place));
  return events.filter((_event, place) => missing.has(place));
}

/** Which of these provider ids belong to a subject of ours. The others belong to other users of the same account. */
export async function findOwnResources(
  db: Database,
  { environment, application }: Owner,
  resourceIds: readonly string[],
): Promise<ReadonlySet<string>> {
  if (resourceIds.length === 0) return new Set();
  const own = await db
    .selectFrom('resources')
    .select('resource_id')
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('resource_id', 'in', resourceIds)
    .execute();
  return new Set(own.map(({ resource_id }) => resource_id));
}

/**
 * Ignores events that were parked for too long: they belong to other users of the same account, or the payment's own
 * reads have shown the same.
 */
export async function giveUpParkedEvents(
  db: Database,
  { environment, application }: Owner,
  { parkedForMs, limit }: { readonly parkedForMs: number; readonly limit: number },
): Promise<void> {
  const parked = db
    .selectFrom('webhook_events')
    .select('id')
    .where('status', '=', 'parked')
    .where('subject_id', 'is', null)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('received_at', '<', ago(parkedForMs))
    .orderBy('id')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  await db
    .updateTable('webhook_events')
    .set(changeTo('ignored', { detail: 'of no payment of ours' }))
    .where('id', 'in', parked)
    .execute();
}

/**
 * Deletes old events of other users of the account, a few at a time, long after the provider has stopped redelivering
 * them.
 */
export async function deleteForeignEvents(
  db: Database,
  { environment, application }: Owner,
  { keptForMs, limit }: { readonly keptForMs: number; readonly limit: number },
): Promise<void> {
  const oldest = db
    .selectFrom('webhook_events')
    .select('webhook_events.id')
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('status', '=', 'ignored')
    .where('subject_id', 'is', null)
    .where('received_at', '<', ago(keptForMs))
    // Events that an operator has resent are kept, with the record of the request.
    .where((where) =>
      where.not(
        where.exists(
          where
            .selectFrom('webhook_resends')
            .select('webhook_resends.id')
            .whereRef('webhook_resends.webhook_event_id', '=', 'webhook_events.id'),
        ),
      ),
    )
    .orderBy('received_at')
    .limit(limit);
  // The status again: where the deletion waits for a row, another delivery may have changed it.
  await db.deleteFrom('webhook_events').where('id', 'in', oldest).where('status', '=', 'ignored').execute();
}

function ago(ms: number) {
  return sql<Date>`now() - ${ms} * interval '1 millisecond'`;
}
