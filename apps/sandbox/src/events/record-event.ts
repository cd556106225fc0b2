import { sql, type Transaction } from 'kysely';
import { runPrepared } from '../database/prepared.js';
import type { Tables } from '../database/tables.js';
import { newEventId } from '../http/identifiers.js';
import { subjectsOf } from './event-subjects.js';
import { EVENT_TYPES, EVERY_EVENT_TYPE, type EventType } from './event-types.js';

export interface NewEvent {
  type: EventType;
  clientId: string;
  /** The id that a search by `transaction_id` finds; the ids that the resource names are found, too. */
  resourceId: string;
  /** The resource after the transition. */
  resource: object;
  now: Date;
}

/**
 * The outbox: the event, and a delivery for each webhook of the application that subscribes to its type, are committed
 * together with their transition.
 */
export function recordEvent(transaction: Transaction<Tables>, event: NewEvent): Promise<void> {
  return recordEvents(transaction, [event]);
}

/** Records many events in one statement; they are delivered in this order. */
export async function recordEvents(
  transaction: Transaction<Tables>,
  events: readonly NewEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = JSON.stringify(events.map(rowOf));
  const recording = sql`
    WITH recorded AS MATERIALIZED (
      SELECT * FROM json_to_recordset(${rows}::json) AS recorded (position integer, id text, client_id text,
        event_type text, resource_type text, resource_id text, summary text, resource json, subjects text[],
        created_at timestamptz)
    ), event AS (
      INSERT INTO events (id, client_id, event_type, resource_type, resource_id, summary, resource, created_at)
      SELECT id, client_id, event_type, resource_type, resource_id, summary, resource, created_at FROM recorded
    ), subject AS (
      INSERT INTO event_subjects (client_id, subject_id, created_at, event_id)
      SELECT client_id, unnest(subjects), created_at, id FROM recorded
    )
    INSERT INTO deliveries (event_id, webhook_id, first_due_at, due_at)
    SELECT recorded.id, webhooks.id, recorded.created_at, recorded.created_at
    FROM recorded JOIN webhooks ON webhooks.client_id = recorded.client_id
      AND webhooks.event_types && ARRAY[recorded.event_type, ${EVERY_EVENT_TYPE}]::text[]
    ORDER BY recorded.position, webhooks.id`;
  await runPrepared(transaction, recording);
}

function rowOf(event: NewEvent, position: number): object {
  const [resource_type, summary] = EVENT_TYPES[event.type];
  return {
    position,
    id: newEventId(),
    client_id: event.clientId,
    event_type: event.type,
    resource_type,
    resource_id: event.resourceId,
    summary,
    resource: event.resource,
    subjects: subjectsOf(event.resourceId, event.resource),
    created_at: event.now,
  };
}
