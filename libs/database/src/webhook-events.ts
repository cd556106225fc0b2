import { type RawBuilder, sql } from 'kysely';
import type { NotifiedResource } from '../../workflows/src/lifecycle/notified-resource.js';
import type { Database } from './database.js';
import { historyWith } from './event-status.js';
import type { WebhookSource, WebhookStatus } from './schema.js';
import { storableForeignJson, storableJson } from './storable-text.js';

export interface NewWebhookEvent {
  readonly environment: string;
  readonly application: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly resource: NotifiedResource;
  /** Every id by which a run may be known: the resource's own and its parents'. */
  readonly resourceIds: readonly string[];
  /** Redacted. */
  readonly payload: unknown;
  /** Default: `delivery`. */
  readonly source?: WebhookSource;
}

/** What a signature names besides the body. */
export interface Transmission {
  readonly id: string;
  /** SHA-256 of the body as it arrived. */
  readonly bodyHash: Buffer;
}

export interface JournaledEvent {
  readonly id: number;
  readonly isNew: boolean;
  /** It says something else than what came under this id first, which stands. */
  readonly contradicts: boolean;
}

/** Journals an event before it is acknowledged; a redelivery is counted and otherwise told apart by `isNew`. */
export async function journalWebhookEvent(db: Database, event: NewWebhookEvent): Promise<JournaledEvent> {
  const { rows } = await insertEvent(event).execute(db);
  const [journaled] = rows;
  if (!journaled) throw new Error('a journaled event has no row');
  return journaled;
}

/**
 * Journals a signed delivery in one statement with its transmission. The signature covers a checksum of the body that
 * can be collided, so the first body that comes under a transmission's id is the only one.
 *
 * @returns undefined when another body came under it before: nothing is journaled then, and the attempt is counted.
 */
export async function journalSignedEvent(
  db: Database,
  event: NewWebhookEvent,
  transmission: Transmission,
): Promise<JournaledEvent | undefined> {
  const { rows } = await sql<JournaledEvent>`with transmission as (
      insert into webhook_transmissions (environment, application, transmission_id, body_hash)
      values (${event.environment}, ${event.application}, ${transmission.id}, ${transmission.bodyHash})
      on conflict (environment, application, transmission_id) do update set
        deliveries = webhook_transmissions.deliveries + 1,
        contradictions = webhook_transmissions.contradictions
          + (webhook_transmissions.body_hash <> excluded.body_hash)::int
      returning body_hash = ${transmission.bodyHash} as is_first_body
    ), event as (${insertEvent(event, sql`from transmission where is_first_body`)})
    select * from event`.execute(db);
  return rows[0];
}

/** The immediate dispatch comes within milliseconds of the commit; what is received for longer was left behind. */
export const immediateDispatch = sql.lit('2 seconds');

const anotherContent = 'another content came under the same id';
const wholeContent = 'the whole of it came under the same id';

/**
 * The insertion of an event, unique on environment, application and event id.
 *
 * Equal means: the same type, and the same of the resource as far as anything is decided on it. Bytes would not do: a
 * provider may write one event in two ways, and gives it to a search in a third. What contradicts never takes the
 * first one's place; what had been settled is from then on a conflict.
 *
 * A first one that did not name its resource told nothing that could be contradicted, and was routed without: the whole
 * of it takes its place, and is dispatched as if it had just come. Who holds a lease on the first has lost it by that.
 *
 * @param source `from …` where another part of the statement decides whether there is anything to insert.
 */
function insertEvent(
  event: NewWebhookEvent,
  source: RawBuilder<unknown> = sql``,
): RawBuilder<JournaledEvent> {
  const resource = storableJson(event.resource);
  const differs = sql<boolean>`(webhook_events.event_type <> excluded.event_type
    or webhook_events.resource <> excluded.resource)`;
  const isWhole = sql<boolean>`(webhook_events.event_type = excluded.event_type
    and webhook_events.resource->>'id' = '' and excluded.resource->>'id' <> '')`;
  const status = sql<WebhookStatus>`case
    when ${isWhole} then 'received'
    when ${differs} and webhook_events.status in ('applied', 'ignored') then 'conflict'
    else webhook_events.status end`;
  const detail = sql<string>`case when ${isWhole} then ${wholeContent}::text else ${anotherContent}::text end`;
  const ofTheWhole = (name: string) => ifIt(isWhole, sql.ref(`excluded.${name}`), kept(name));
  return sql<JournaledEvent>`
    insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload,
      status, source, due_at)
    select ${event.environment}, ${event.application}, ${event.eventId}, ${event.eventType}, ${resource}::jsonb,
      ${[...event.resourceIds]}::text[], ${storableForeignJson(event.payload)}::jsonb, 'received',
      ${event.source ?? 'delivery'}, clock_timestamp() + ${immediateDispatch}::interval
    ${source}
    on conflict (environment, application, event_id) do update set
      deliveries = webhook_events.deliveries + 1,
      contradictions = webhook_events.contradictions + (${differs} and not ${isWhole})::int,
      resource = ${ofTheWhole('resource')},
      resource_ids = ${ofTheWhole('resource_ids')},
      payload = ${ofTheWhole('payload')},
      status = ${status},
      status_at = ${ifIt(isWhole, sql`clock_timestamp()`, kept('status_at'))},
      due_at = ${ofTheWhole('due_at')},
      detail = ${ifIt(differs, detail, kept('detail'))},
      history = ${ifIt(differs, historyWith(status, detail), kept('history'))}
    returning id, deliveries = 1 as "isNew",
      event_type <> ${event.eventType} or resource <> ${resource}::jsonb as contradicts`;
}

function kept(name: string): RawBuilder<unknown> {
  return sql.ref(`webhook_events.${name}`);
}

function ifIt(
  is: RawBuilder<boolean>,
  then: RawBuilder<unknown>,
  otherwise: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${is} then ${then} else ${otherwise} end`;
}
