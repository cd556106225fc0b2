import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { WebhookEventRow, WebhookStatus } from '../schema/schema.js';
import { historyWith, reachedWith } from './event-status.js';
import { type KnownSubject, subjectsOf } from './event-subject.js';

/** An event that nobody has taken yet, as it was when it was read. */
export type ReceivedEvent = Pick<
  WebhookEventRow,
  'id' | 'event_id' | 'event_type' | 'resource' | 'resource_ids' | 'first_content' | 'deliveries'
>;

export interface ReceivedWithSubject {
  readonly event: ReceivedEvent;
  /** In its committed state. */
  readonly subject: KnownSubject;
}

/** @returns each event at its index; undefined if it has another status, or no known subject. */
export async function findReceivedEvents(
  db: Database,
  ids: readonly number[],
): Promise<readonly (ReceivedWithSubject | undefined)[]> {
  type Row = ReceivedEvent & { readonly subject_id: string; readonly state: unknown };
  const rows = await runPrepared<Row>(db, receivedEvents, [ids]);
  const byId = new Map(
    rows.map(({ subject_id, state, ...event }) => [event.id, { event, subject: { id: subject_id, state } }]),
  );
  return ids.map((id) => byId.get(id));
}

const receivedEvents = prepared(
  'received-events',
  () => sql`
    select event.id, event.event_id, event.event_type, event.resource, event.resource_ids, event.first_content,
      event.deliveries, subject.id as subject_id, subject.state
    from webhook_events as event ${subjectsOf}
    where event.id = any(${parameter(1)}::bigint[]) and event.status = 'received'`,
);

/** An event whose subject already has what it reports. */
export interface KnownEvent {
  readonly event: Pick<ReceivedEvent, 'id' | 'deliveries'>;
  readonly subjectId: string;
  readonly detail: string;
}

/**
 * Marks events as applied without a lease. An event that was taken, delivered again or shown by the provider since it was
 * read is left: that may have brought more.
 *
 * @returns for each event, at its index, false if it was left.
 */
export async function markKnownEvents(
  db: Database,
  known: readonly KnownEvent[],
): Promise<readonly boolean[]> {
  const rows = await runPrepared<{ id: number }>(db, marking, [
    known.map(({ event }) => event.id),
    known.map(({ event }) => event.deliveries),
    known.map(({ subjectId }) => subjectId),
    known.map(({ detail }) => detail),
  ]);
  const marked = new Set(rows.map(({ id }) => id));
  return known.map(({ event }) => marked.has(event.id));
}

const marking = prepared('known-events', () => {
  const status = reachedWith(sql<WebhookStatus>`'applied'`);
  return sql`
    update webhook_events set status = ${status}, status_at = clock_timestamp(), due_at = null,
      history = ${historyWith(status, sql<string>`known.detail`)}, subject_id = known.subject_id, detail = known.detail
    from unnest(${parameter(1)}::bigint[], ${parameter(2)}::integer[], ${parameter(3)}::text[], ${parameter(4)}::text[])
      as known (id, deliveries, subject_id, detail)
    where webhook_events.id = known.id and webhook_events.status = 'received'
      and webhook_events.deliveries = known.deliveries and webhook_events.shown_at is null
    returning webhook_events.id`;
});
