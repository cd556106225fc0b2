import { type RawBuilder, sql } from 'kysely';
import type { NotifiedResource } from '#workflows/lifecycle';
import type { Database } from '../connection/database.js';
import { contentIn, contentOf, isAnotherContent } from './event-content.js';
import { historyWith } from './event-status.js';
import type { WebhookSource, WebhookStatus } from '../schema/schema.js';
import { storableForeignJson, storableJson } from '../text/storable-text.js';

export interface NewWebhookEvent {
  readonly environment: string;
  readonly application: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly resource: NotifiedResource;
  /** Every id by which the subject may be found: the resource's own and its parents'. */
  readonly resourceIds: readonly string[];
  /** Redacted. */
  readonly payload: unknown;
  /** Default: `delivery`. */
  readonly source?: WebhookSource;
}

/** What a signature covers besides the body. */
export interface Transmission {
  readonly id: string;
  /** SHA-256 of the received body. */
  readonly bodyHash: Buffer;
}

export interface JournaledEvent {
  readonly id: number;
  readonly isNew: boolean;
  /** Another content came under its id or its transmission's id: the provider is asked. */
  readonly contradicts: boolean;
}

/** Journals an event before it is acknowledged. A redelivery is counted; `isNew` is false for it. */
export async function journalWebhookEvent(db: Database, event: NewWebhookEvent): Promise<JournaledEvent> {
  const { rows } = await insertEvent(event, unsigned).execute(db);
  const [journaled] = rows;
  if (!journaled) throw new Error('a journaled event has no row');
  return journaled;
}

/**
 * Journals a signed delivery in one statement with its transmission. The signature covers a checksum of the body for
 * which collisions can be made. So of two bodies under one transmission id at most one is genuine, and only the
 * provider knows which. A new event with the second body is contested from the start.
 */
export async function journalSignedEvent(
  db: Database,
  event: NewWebhookEvent,
  transmission: Transmission,
): Promise<JournaledEvent> {
  const { rows } = await sql<JournaledEvent>`with transmission as (
      insert into webhook_transmissions (environment, application, transmission_id, body_hash)
      values (${event.environment}, ${event.application}, ${transmission.id}, ${transmission.bodyHash})
      on conflict (environment, application, transmission_id) do update set
        deliveries = webhook_transmissions.deliveries + 1,
        contradictions = webhook_transmissions.contradictions
          + (webhook_transmissions.body_hash <> excluded.body_hash)::int
      returning body_hash <> ${transmission.bodyHash} as is_another_body
    ), event as (${insertEvent(event, ofTransmission)})
    select id, "isNew", contradicts or is_another_body as contradicts from event, transmission`.execute(db);
  const [journaled] = rows;
  if (!journaled) throw new Error('a journaled event has no row');
  return journaled;
}

/**
 * The immediate dispatch comes within milliseconds after the commit. An event that is `received` for longer was left
 * behind.
 */
export const immediateDispatch = sql.lit('2 seconds');

const wholeContent = 'the whole of it came under the same id';
const anotherContent = 'another content came under the same id: the provider is asked';
const anotherBody = 'another body came under the same transmission: the provider is asked';

/**
 * Bounded, because everybody who knows the secret address could fill the row. The content that the provider shows is
 * stored elsewhere.
 */
const mostContents = sql.lit(8);

/** The origin of an event, as a part of the statement that inserts it. */
interface Origin {
  /** True if another body came under the same transmission before. */
  readonly isAnotherBody: RawBuilder<boolean>;
  readonly from: RawBuilder<unknown>;
}

const unsigned: Origin = { isAnotherBody: sql`false`, from: sql`` };
const ofTransmission: Origin = { isAnotherBody: sql`is_another_body`, from: sql`from transmission` };

/**
 * The insertion of an event, unique on environment, application and event id.
 *
 * Another content makes the event contested, in any status, until the provider has been asked (`contested-events.ts`).
 * A content that the provider has shown is kept.
 *
 * A first delivery without the resource has nothing that can be contradicted. The complete event replaces it and is
 * dispatched like a new one. This ends a lease on the first one.
 */
function insertEvent(event: NewWebhookEvent, { isAnotherBody, from }: Origin): RawBuilder<JournaledEvent> {
  const { eventType, resourceIds, source = 'delivery' } = event;
  const given = contentOf(event);
  const content = storableJson({ eventType, resource: event.resource, resourceIds });
  const differs = isAnotherContent(contentIn('webhook_events'), contentIn('excluded'));
  const isWhole = sql<boolean>`(webhook_events.event_type = excluded.event_type
    and webhook_events.resource->>'id' = '' and excluded.resource->>'id' <> ''
    and webhook_events.status <> 'contested')`;
  const contests = sql<boolean>`(${differs} and not ${isWhole} and webhook_events.shown_at is null)`;
  const begins = sql<boolean>`(${contests} and webhook_events.status <> 'contested')`;
  const isUnheardOf = sql<boolean>`(${contests} and jsonb_array_length(webhook_events.other_contents) < ${mostContents}
    and not exists (select from jsonb_array_elements(webhook_events.other_contents) as other (content)
      where other.content = ${content}::jsonb))`;
  const status = sql<WebhookStatus>`case
    when ${isWhole} then excluded.status
    when ${contests} then 'contested'
    else webhook_events.status end`;
  const detail = sql<string>`case when ${isWhole} then ${wholeContent}::text else ${anotherContent}::text end`;
  const changes = sql<boolean>`(${isWhole} or ${begins})`;
  const ofTheWhole = (name: string) => ifIt(isWhole, sql.ref(`excluded.${name}`), kept(name));
  return sql<JournaledEvent>`
    insert into webhook_events (environment, application, event_id, event_type, resource, resource_ids, payload,
      status, source, due_at, contradictions, detail, shown_at)
    select ${event.environment}, ${event.application}, ${event.eventId}, ${given.eventType}, ${given.resource},
      ${given.resourceIds}, ${storableForeignJson(event.payload)}::jsonb,
      case when ${isAnotherBody} then 'contested' else 'received' end,
      ${source}::text, clock_timestamp() + case when ${isAnotherBody} then '0' else ${immediateDispatch} end::interval,
      ${isAnotherBody}::int, case when ${isAnotherBody} then ${anotherBody}::text end,
      case when ${source}::text = 'reconciliation' and ${event.resource.id} <> '' then clock_timestamp() end
    ${from}
    on conflict (environment, application, event_id) do update set
      deliveries = webhook_events.deliveries + 1,
      contradictions = webhook_events.contradictions + (${differs} and not ${isWhole})::int,
      resource = ${ofTheWhole('resource')},
      resource_ids = ${ofTheWhole('resource_ids')},
      payload = ${ofTheWhole('payload')},
      shown_at = ${ofTheWhole('shown_at')},
      other_contents = case when ${isUnheardOf} then webhook_events.other_contents || ${content}::jsonb
        else webhook_events.other_contents end,
      status = ${status},
      status_at = ${ifIt(changes, sql`clock_timestamp()`, kept('status_at'))},
      due_at = ${ifIt(begins, sql`clock_timestamp()`, ofTheWhole('due_at'))},
      detail = ${ifIt(changes, detail, kept('detail'))},
      history = ${ifIt(changes, historyWith(status, detail), kept('history'))}
    returning id, deliveries = 1 as "isNew", ${isAnotherContent(contentIn('webhook_events'), given)} as contradicts`;
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
