import { sql } from 'kysely';
import type { Database } from './database.js';
import { changeTo } from './event-status.js';
import type { Owner } from './reconciliation.js';
import type { NewWebhookEvent } from './webhook-events.js';

/** Which of these events the inbox does not hold, or holds only without the resource that they name. */
export async function findMissingEvents<Event extends Pick<NewWebhookEvent, 'eventId' | 'resource'>>(
  db: Database,
  { environment, application }: Owner,
  events: readonly Event[],
): Promise<readonly Event[]> {
  if (events.length === 0) return [];
  const held = await db
    .selectFrom('webhook_events')
    .select(['event_id', 'resource'])
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where(
      'event_id',
      'in',
      events.map(({ eventId }) => eventId),
    )
    .execute();
  const resourceIds = new Map(held.map(({ event_id, resource }) => [event_id, resource.id]));
  return events.filter(({ eventId, resource }) => {
    const known = resourceIds.get(eventId);
    return known === undefined || (known === '' && resource.id !== '');
  });
}

/** Which of these ids at the provider belong to a payment of ours; the others are of strangers to the same account. */
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
 * Gives up waiting for the payment of events that have been parked too long: they are of strangers to the same
 * account, or the payment's own reads have told what they tell.
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

/** Deletes strangers' events, long after the provider has ceased to deliver them again; a few at a time. */
export async function deleteStrangersEvents(
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
    // What an operator has asked for again stays, with the record of who asked.
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
  await db.deleteFrom('webhook_events').where('id', 'in', oldest).execute();
}

function ago(ms: number) {
  return sql<Date>`now() - ${ms} * interval '1 millisecond'`;
}
