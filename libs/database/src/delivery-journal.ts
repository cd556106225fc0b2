import { sql } from 'kysely';
import type { Database } from './database.js';
import { storableJson } from './storable-text.js';
import {
  type JournaledEvent,
  type NewWebhookEvent,
  type Transmission,
  immediateDispatch,
  journalSignedEvent,
  journalWebhookEvent,
} from './webhook-events.js';

/** An authentic delivery; the transmission is what its signature names, where there is one. */
export interface Delivery {
  readonly event: NewWebhookEvent;
  readonly transmission?: Transmission;
}

/**
 * Journals deliveries, the new ones among them in one statement and so in one commit. What was delivered before, under
 * its event's id or its transmission's, goes its own way: it is counted, and held against what came first.
 *
 * @returns for each at its place what `journalSignedEvent` and `journalWebhookEvent` say of it.
 */
export async function journalDeliveries(
  db: Database,
  deliveries: readonly Delivery[],
): Promise<readonly (JournaledEvent | undefined)[]> {
  const [first] = deliveries;
  if (first && deliveries.length === 1) return [await journalAlone(db, first)];
  const newIds = await insertNew(db, deliveries);
  const journaled: (JournaledEvent | undefined)[] = [];
  for (const delivery of deliveries) {
    const { environment, application, eventId } = delivery.event;
    const key = keyOf(environment, application, eventId);
    const id = newIds.get(key);
    // The second of twins finds the id taken: it is a redelivery like any other.
    newIds.delete(key);
    journaled.push(
      id === undefined ? await journalAlone(db, delivery) : { id, isNew: true, contradicts: false },
    );
  }
  return journaled;
}

async function journalAlone(
  db: Database,
  { event, transmission }: Delivery,
): Promise<JournaledEvent | undefined> {
  return transmission
    ? await journalSignedEvent(db, event, transmission)
    : await journalWebhookEvent(db, event);
}

/**
 * One statement whatever their number. Neither touches a row that is there nor waits for its holder; and both go by the
 * order of their keys, or two processes that were told the same would deadlock.
 */
async function insertNew(db: Database, deliveries: readonly Delivery[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; environment: string; application: string; event_id: string }>`
    with delivery as materialized (
      select distinct on (environment, application, event_id) *
      from jsonb_to_recordset(${storableJson(deliveries.map(asRecord))}::jsonb) as delivery (
        place integer, environment text, application text, event_id text, event_type text, resource jsonb,
        resource_ids text[], payload jsonb, source text, transmission_id text, body_hash text
      )
      where not exists (select from webhook_events as known where known.environment = delivery.environment
        and known.application = delivery.application and known.event_id = delivery.event_id)
      order by environment, application, event_id, place
    ), transmission as (
      insert into webhook_transmissions (environment, application, transmission_id, body_hash)
      select environment, application, transmission_id, decode(body_hash, 'hex')
      from delivery where transmission_id is not null
      order by environment, application, transmission_id, place
      on conflict (environment, application, transmission_id) do nothing
      returning environment, application, transmission_id, body_hash
    )
    insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload,
      status, source, due_at)
    select environment, application, event_id, event_type, resource, resource_ids, payload,
      'received', source, clock_timestamp() + ${immediateDispatch}::interval
    from delivery
    where transmission_id is null or (environment, application, transmission_id, body_hash) in (
      select environment, application, transmission_id, encode(body_hash, 'hex') from transmission
    )
    order by environment, application, event_id
    on conflict (environment, application, event_id) do nothing
    returning id, environment, application, event_id`.execute(db);
  return new Map(rows.map((row) => [keyOf(row.environment, row.application, row.event_id), row.id]));
}

function asRecord({ event, transmission }: Delivery, place: number): object {
  const { environment, application, eventId, eventType, resource, resourceIds, payload, source } = event;
  return {
    place,
    environment,
    application,
    event_id: eventId,
    event_type: eventType,
    resource,
    resource_ids: resourceIds,
    payload,
    source: source ?? 'delivery',
    transmission_id: transmission?.id,
    body_hash: transmission?.bodyHash.toString('hex'),
  };
}

/** None of the three holds a slash. */
function keyOf(environment: string, application: string, eventId: string): string {
  return `${environment}/${application}/${eventId}`;
}
