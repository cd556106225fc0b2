import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../connection/database.js';
import { type StatusChange, changeTo, historyWith, instantIn, reachedWith } from './event-status.js';
import { parameter, prepared, runPrepared } from '../connection/prepared.js';
import type { WebhookEventRow, WebhookStatus } from '../schema/schema.js';
import { storableJson } from '../text/storable-text.js';
import { subjectTables, tableOf } from '../tables/subject-tables.js';

/** An event as its dispatcher holds it; `dispatches` is the number of its lease. */
export type LeasedEvent = Pick<WebhookEventRow, (typeof leasedColumns)[number]>;

export const leasedColumns = [
  'id',
  'environment',
  'application',
  'event_id',
  'event_type',
  'resource',
  'resource_ids',
  'dispatches',
  'contradictions',
  'first_content',
] as const;

/**
 * Leases received (or abandoned) events to the caller. Two dispatchers never both get one, and a dispatcher that dies
 * loses it when the lease ends: nothing is claimed and forgotten.
 *
 * @returns each at its place; undefined where it has its last status or is leased to another dispatcher.
 */
export async function leaseWebhookEvents(
  db: Database,
  ids: readonly number[],
  leaseMs: number,
): Promise<readonly (LeasedEvent | undefined)[]> {
  const free = db
    .selectFrom('webhook_events')
    .select('id')
    .where(sql<boolean>`id = any(${ids}::bigint[])`)
    .where((where) =>
      where.or([
        where('status', '=', 'received'),
        where.and([where('status', '=', 'dispatching'), where('due_at', '<', sql<Date>`clock_timestamp()`)]),
      ]),
    )
    // Who holds a row leases it, or counts a delivery and leases it then: to wait for several could only deadlock.
    .forUpdate()
    .skipLocked();
  const leased = await db
    .updateTable('webhook_events')
    .set({
      ...changeTo('dispatching', { dueInMs: leaseMs }),
      dispatches: sql<number>`dispatches + 1`,
    })
    .where('id', 'in', free)
    .returning(leasedColumns)
    .execute();
  const byId = new Map(leased.map((event) => [event.id, event]));
  return ids.map((id) => byId.get(id));
}

export async function leaseWebhookEvent(
  db: Database,
  id: number,
  leaseMs: number,
): Promise<LeasedEvent | undefined> {
  const [event] = await leaseWebhookEvents(db, [id], leaseMs);
  return event;
}

/** What becomes of a leased event. */
export interface EventMark {
  readonly lease: Pick<LeasedEvent, 'id' | 'dispatches'>;
  readonly status: WebhookStatus;
  readonly change?: StatusChange;
}

/**
 * Ends leases. A dispatcher whose lease was taken over while it worked writes nothing: the other one's word counts.
 *
 * @returns for each mark at its place false when its lease was lost.
 */
export async function markWebhookEvents(
  db: Database,
  marks: readonly EventMark[],
): Promise<readonly boolean[]> {
  const status = reachedWith(sql<WebhookStatus>`mark.status`);
  const column = <T>(valueOf: (mark: EventMark) => T): T[] => marks.map(valueOf);
  const { rows } = await sql<{ id: number }>`
    update webhook_events set
      status = ${status},
      status_at = clock_timestamp(),
      due_at = ${instantIn(sql<number | null>`mark.due_in_ms`)},
      history = ${historyWith(status, sql<string | null>`mark.detail`)},
      subject_id = coalesce(mark.subject_id, webhook_events.subject_id),
      detail = coalesce(mark.detail, webhook_events.detail)
    from unnest(
      ${column(({ lease }) => lease.id)}::bigint[],
      ${column(({ lease }) => lease.dispatches)}::integer[],
      ${column((mark) => mark.status)}::text[],
      ${column(({ change }) => change?.detail ?? null)}::text[],
      ${column(({ change }) => change?.subjectId ?? null)}::text[],
      ${column(({ change }) => change?.dueInMs ?? null)}::float8[]
    ) as mark (id, dispatches, status, detail, subject_id, due_in_ms)
    where webhook_events.id = mark.id
      and webhook_events.status = 'dispatching'
      and webhook_events.dispatches = mark.dispatches
    returning webhook_events.id`.execute(db);
  const marked = new Set(rows.map(({ id }) => id));
  return marks.map(({ lease }) => marked.has(lease.id));
}

/** @returns false when the lease was lost. */
export async function markWebhookEvent(
  db: Database,
  lease: EventMark['lease'],
  status: WebhookStatus,
  change: StatusChange = {},
): Promise<boolean> {
  const [isMarked = false] = await markWebhookEvents(db, [{ lease, status, change }]);
  return isMarked;
}

/** What is known of the subject that an event is about; its id tells what the state is of. */
export interface KnownSubject {
  readonly id: string;
  readonly state: unknown;
}

/** The subjects that events are about, each at its place, as they are committed now. */
export async function findSubjectsOf(
  db: Database,
  events: readonly Pick<LeasedEvent, 'environment' | 'application' | 'resource' | 'resource_ids'>[],
): Promise<readonly (KnownSubject | undefined)[]> {
  const told = events.map(({ environment, application, resource, resource_ids }, place) => ({
    place,
    environment,
    application,
    resource,
    resource_ids,
  }));
  const rows = await runPrepared<KnownSubject & { readonly place: number }>(db, subjectsOfEvents, [
    storableJson(told),
  ]);
  const byPlace = new Map(rows.map(({ place, ...subject }) => [place, subject]));
  return events.map((_event, place) => byPlace.get(place));
}

const subjectsOfEvents = prepared(
  'subjects-of-events',
  () => sql`
    select event.place, subject.id, subject.state
    from jsonb_to_recordset(${parameter(1)}::jsonb) as event (
      place integer, environment text, application text, resource jsonb, resource_ids text[]
    )
    cross join lateral (${subjectIdOf(columnsOfEvent)}) as known
    cross join lateral (${stateOf(sql`known.subject_id`)}) as subject`,
);

/**
 * The subject that an event is about, its row locked: an activity that records a resource's id or an answer takes the
 * same lock, so that an event is either parked before it claims, or sees what it wrote.
 */
export async function lockSubjectOf(
  trx: Database,
  event: Pick<LeasedEvent, 'environment' | 'application' | 'resource_ids'> &
    Partial<Pick<LeasedEvent, 'resource'>>,
): Promise<KnownSubject | undefined> {
  const known = await sql<{ subject_id: string }>`${subjectIdOf({
    environment: sql`${event.environment}`,
    application: sql`${event.application}`,
    reference: sql`${event.resource?.reference ?? null}::text`,
    resourceIds: sql`${event.resource_ids}::text[]`,
  })}`.execute(trx);
  const id = known.rows[0]?.subject_id;
  if (id === undefined) return undefined;
  const { rows } = await sql<KnownSubject>`
    select id, state from ${sql.table(tableOf({ id }))} where id = ${id} for update`.execute(trx);
  return rows[0];
}

/** By what an event finds its subject. */
interface EventParts {
  readonly environment: RawBuilder<unknown>;
  readonly application: RawBuilder<unknown>;
  readonly reference: RawBuilder<unknown>;
  readonly resourceIds: RawBuilder<unknown>;
}

const columnsOfEvent: EventParts = {
  environment: sql`event.environment`,
  application: sql`event.application`,
  reference: sql`event.resource->>'reference'`,
  resourceIds: sql`event.resource_ids`,
};

/**
 * An event that bears the reference of a request of ours is about what we asked for, whether or not the answer is here
 * yet. One that names a refund is about that, and only then about the payment that it names as well.
 */
function subjectIdOf({ environment, application, reference, resourceIds }: EventParts): RawBuilder<unknown> {
  return sql`
    select subject_id from (
      (select attempts.subject_id, 0 as place from attempts join refunds on refunds.id = attempts.subject_id
        where attempts.reference = ${reference}
          and refunds.environment = ${environment} and refunds.application = ${application}
        limit 1)
      union all
      (select subject_id, case kind when 'refund' then 1 else 2 end from resources
        where resources.environment = ${environment} and resources.application = ${application}
          and resources.resource_id = any(${resourceIds}))
    ) as candidate order by place limit 1`;
}

/** Of whatever kind it is: an id is found in the table of its kind only. */
function stateOf(id: RawBuilder<unknown>): RawBuilder<unknown> {
  const each = subjectTables.map(
    (table) => sql`select id, state from ${sql.table(table)} where ${sql.table(table)}.id = ${id}`,
  );
  return sql.join(each, sql` union all `);
}

/** What the sweep must dispatch: left behind by the immediate dispatch, or by a dispatcher that died. Oldest first. */
export async function findDueEvents(db: Database, limit: number): Promise<{ id: number }[]> {
  return await db
    .selectFrom('webhook_events')
    .select('id')
    .where('status', 'in', ['received', 'dispatching'])
    .where('due_at', '<=', instantIn(0))
    .orderBy('due_at')
    .limit(limit)
    .execute();
}
