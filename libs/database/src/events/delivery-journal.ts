import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import { storableForeignJson } from '../text/storable-text.js';
import {
  type JournaledEvent,
  type NewWebhookEvent,
  type Transmission,
  immediateDispatch,
  journalSignedEvent,
  journalWebhookEvent,
} from './webhook-events.js';

/** An authentic delivery; with a transmission if it is signed. */
export interface Delivery {
  readonly event: NewWebhookEvent;
  readonly transmission?: Transmission;
  /** Set if a new event changes nothing: it is then journaled as applied. */
  readonly applied?: AppliedEvent;
}

/** The journal fields of an event that has no news. */
export interface AppliedEvent {
  readonly subjectId: string;
  readonly detail: string;
}

/**
 * Journals deliveries: all new ones in one statement and one commit. A delivery whose event id or transmission id is
 * known is handled alone: it is counted, and compared with the first one.
 *
 * @returns for each delivery, at its index, the result as of `journalSignedEvent` or `journalWebhookEvent`.
 */
export async function journalDeliveries(
  db: Database,
  deliveries: readonly Delivery[],
): Promise<readonly JournaledEvent[]> {
  const inserted = await insertNew(db, deliveries);
  const taken = new Set<string>();
  const journaled: JournaledEvent[] = [];
  for (const [place, delivery] of deliveries.entries()) {
    const { bound, id } = inserted.get(place) ?? {};
    // Of equal deliveries in one batch the first one was inserted; the others are redeliveries.
    const isBound = bound !== undefined && isFirst(taken, `transmission ${bound}`);
    const isNew = id !== undefined && (isBound || !delivery.transmission) && isFirst(taken, `event ${id}`);
    if (isNew) journaled.push({ id, isNew, contradicts: false });
    else journaled.push(await journalAlone(db, isBound ? { event: delivery.event } : delivery));
  }
  return journaled;
}

function isFirst(taken: Set<string>, what: string): boolean {
  const isTaken = taken.has(what);
  taken.add(what);
  return !isTaken;
}

async function journalAlone(db: Database, { event, transmission }: Delivery): Promise<JournaledEvent> {
  return transmission
    ? await journalSignedEvent(db, event, transmission)
    : await journalWebhookEvent(db, event);
}

interface Inserted {
  /** The row id of the event, if it is new. */
  readonly id?: number;
  /** The transmission's id, if it is new and bound to this body. */
  readonly bound?: string;
}

/**
 * One statement for any number of deliveries. It changes no existing row, and reads only what the constraints check
 * anyway. Both tables are written in the order of their keys; otherwise two processes with the same deliveries could
 * deadlock.
 *
 * @returns by the delivery's index; equal deliveries get the same value.
 */
async function insertNew(db: Database, deliveries: readonly Delivery[]): Promise<Map<number, Inserted>> {
  const rows = await runPrepared<{ place: number; id: number | null; bound: string | null }>(db, insertion, [
    storableForeignJson(deliveries.map(asRecord)),
  ]);
  return new Map(
    rows.map(({ place, id, bound }) => [
      place,
      { ...(id !== null && { id }), ...(bound !== null && { bound }) },
    ]),
  );
}

const insertion = prepared(
  'new-deliveries',
  () => sql`
    with delivery as materialized (
      select * from jsonb_to_recordset(${parameter(1)}::jsonb) as delivery (
        place integer, environment text, application text, event_id text, event_type text, resource jsonb,
        resource_ids text[], payload jsonb, source text, transmission_id text, body_hash text,
        subject_id text, detail text
      )
    ), transmission as (
      insert into webhook_transmissions (environment, application, transmission_id, body_hash)
      select environment, application, transmission_id, decode(body_hash, 'hex')
      from delivery where transmission_id is not null
      order by environment, application, transmission_id, place
      on conflict (environment, application, transmission_id) do nothing
      returning environment, application, transmission_id, encode(body_hash, 'hex') as body_hash
    ), event as (
      insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload,
        source, subject_id, detail, status, status_at, due_at, history)
      select environment, application, event_id, event_type, resource, resource_ids, payload, source, subject_id, detail,
        case when subject_id is null then 'received' else 'applied' end,
        clock_timestamp(),
        case when subject_id is null then clock_timestamp() + ${immediateDispatch}::interval end,
        case when subject_id is null then '[]' else jsonb_build_array(
          jsonb_build_object('status', 'applied', 'at', clock_timestamp(), 'detail', detail)) end
      from delivery
      where transmission_id is null or (environment, application, transmission_id, body_hash) in (
        select environment, application, transmission_id, body_hash from transmission
      )
      order by environment, application, event_id, place
      on conflict (environment, application, event_id) do nothing
      returning id, environment, application, event_id
    )
    select place, event.id, transmission.transmission_id as bound
    from delivery
    left join event using (environment, application, event_id)
    left join transmission using (environment, application, transmission_id, body_hash)`,
);

function asRecord({ event, transmission, applied }: Delivery, place: number): object {
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
    subject_id: applied?.subjectId,
    detail: applied?.detail,
  };
}
