import { sql, type Transaction } from 'kysely';
import type { Tables } from '../database/tables.js';
import { newEventId } from '../http/identifiers.js';
import { EVENT_TYPES, EVERY_EVENT_TYPE, type EventType } from './event-types.js';

export interface NewEvent {
  type: EventType;
  clientId: string;
  /** The id that a search by `transaction_id` finds. */
  resourceId: string;
  /** The resource as it stands after the transition. */
  resource: object;
  now: Date;
}

/**
 * The outbox: the event, and a delivery for each webhook of the application that subscribes to its type, are committed
 * with the transition they tell of.
 */
export async function recordEvent(transaction: Transaction<Tables>, event: NewEvent): Promise<void> {
  const [resource_type, summary] = EVENT_TYPES[event.type];
  const row = {
    id: newEventId(),
    client_id: event.clientId,
    event_type: event.type,
    resource_type,
    resource_id: event.resourceId,
    summary,
    resource: JSON.stringify(event.resource),
    created_at: event.now,
  };
  await transaction
    .with('event', (database) => database.insertInto('events').values(row).returning('id'))
    .insertInto('deliveries')
    .columns(['event_id', 'webhook_id', 'first_due_at', 'due_at'])
    .expression((database) =>
      database
        .selectFrom(['event', 'webhooks'])
        .select(['event.id as event_id', 'webhooks.id as webhook_id'])
        .select([
          sql<Date>`${event.now}::timestamptz`.as('first_due_at'),
          sql<Date>`${event.now}::timestamptz`.as('due_at'),
        ])
        .where('webhooks.client_id', '=', event.clientId)
        .where(sql<boolean>`webhooks.event_types && ARRAY[${event.type}, ${EVERY_EVENT_TYPE}]::text[]`),
    )
    .execute();
}
