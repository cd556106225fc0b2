import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { EventRow, Tables } from '../database/tables.js';
import { describeEvent } from '../events/event-representation.js';
import { ApiError } from '../http/api-error.js';
import type { Link, Links } from '../http/links.js';
import { identifier, instant, orAbsent, orDefault } from '../http/validation.js';
import { atOneInstant } from '../server/reading.js';

export const eventListQuery = z
  .strictObject({
    page_size: orDefault(z.coerce.number().int().min(1).max(300).default(10)),
    start_time: instant.optional(),
    end_time: instant.optional(),
    /** Of a payment, sale, authorization, capture, refund, agreement, payout item…: any id that the resource names. */
    transaction_id: identifier.optional(),
    event_type: orAbsent(z.string().regex(/^[A-Z.-]{1,100}$/)),
    /** The first event of this page, from the `next` link of the page before. */
    start_id: identifier.optional(),
    /** The last event of this page, from the `prev` link of the page after. */
    end_id: identifier.optional(),
  })
  .refine((query) => query.start_id === undefined || query.end_id === undefined, {
    path: ['end_id'],
    message: 'Cannot be given together with start_id',
  });

type EventListQuery = z.output<typeof eventListQuery>;

/** The direction in which a page is read: `older` from its first event, `newer` back from its last one. */
type Way = 'older' | 'newer';

/** @throws ApiError INVALID_RESOURCE_ID when the application has no such event, or only simulated it. */
export async function findEvent(
  database: Kysely<Tables>,
  clientId: string,
  eventId: string,
): Promise<EventRow> {
  const event = await database
    .selectFrom('events')
    .selectAll()
    .where('id', '=', eventId)
    .where('client_id', '=', clientId)
    .where('is_simulated', '=', false)
    .executeTakeFirst();
  if (event === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return event;
}

/** An application's past events, newest first, with links to the pages before and after. */
export async function listEvents(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  query: EventListQuery,
  pathAndQuery: string,
): Promise<object> {
  const cursor = query.start_id ?? query.end_id;
  const { page, next, prev } =
    cursor === undefined
      ? await firstPage(database, clientId, query)
      : await atOneInstant(database, (transaction) => pageAt(transaction, clientId, query, cursor));
  return {
    events: page.map((event) => describeEvent(event, links)),
    count: page.length,
    links: pageLinks(links, pathAndQuery, next, prev),
  };
}

interface Page {
  /** Newest first. */
  page: EventRow[];
  /** The first event of the next page, the last one of the previous page. */
  next: EventRow | undefined;
  prev: EventRow | undefined;
}

async function firstPage(database: Kysely<Tables>, clientId: string, query: EventListQuery): Promise<Page> {
  const rows = await readRun(database, clientId, query, 'older', null, query.page_size + 1);
  return { page: rows.slice(0, query.page_size), next: rows[query.page_size], prev: undefined };
}

async function pageAt(
  database: Kysely<Tables>,
  clientId: string,
  query: EventListQuery,
  cursor: string,
): Promise<Page> {
  const from = await findEvent(database, clientId, cursor);
  const [way, back]: [Way, Way] = query.end_id === undefined ? ['older', 'newer'] : ['newer', 'older'];
  const rows = await readRun(database, clientId, query, way, from, query.page_size + 1);
  // Both runs begin with the cursor's own event.
  const [, behind] = await readRun(database, clientId, query, back, from, 2);
  const page = rows.slice(0, query.page_size);
  const beyond = rows[query.page_size];
  return way === 'older'
    ? { page, next: beyond, prev: behind }
    : { page: page.toReversed(), next: behind, prev: beyond };
}

/**
 * Each search uses its own index: of an id, of a type, or of the times alone. The ids have their own table, because one
 * event has several.
 */
async function readRun(
  database: Kysely<Tables>,
  clientId: string,
  query: EventListQuery,
  way: Way,
  edge: EventRow | null,
  limit: number,
): Promise<EventRow[]> {
  const isOfSubject = query.transaction_id !== undefined;
  const key = isOfSubject ? sql`subject.created_at, subject.event_id` : sql`events.created_at, events.id`;
  const createdAt = isOfSubject ? sql`subject.created_at` : sql`events.created_at`;
  const source = isOfSubject
    ? sql`event_subjects AS subject JOIN events ON events.id = subject.event_id
        WHERE subject.client_id = ${clientId} AND subject.subject_id = ${query.transaction_id}`
    : sql`events WHERE events.client_id = ${clientId}`;
  const order = way === 'older' ? sql`DESC` : sql`ASC`;
  const { rows } = await sql<EventRow>`
    SELECT events.* FROM ${source} AND NOT events.is_simulated
      ${query.event_type === undefined ? sql`` : sql`AND events.event_type = ${query.event_type}`}
      ${query.start_time === undefined ? sql`` : sql`AND ${createdAt} >= ${query.start_time}`}
      ${query.end_time === undefined ? sql`` : sql`AND ${createdAt} <= ${query.end_time}`}
      ${edge === null ? sql`` : sql`AND (${key}) ${way === 'older' ? sql`<=` : sql`>=`} (${edge.created_at}, ${edge.id})`}
    ORDER BY ${isOfSubject ? sql`subject.created_at ${order}, subject.event_id ${order}` : sql`events.created_at ${order}, events.id ${order}`}
    LIMIT ${limit}`.execute(database);
  return rows;
}

function pageLinks(
  links: Links,
  pathAndQuery: string,
  next: EventRow | undefined,
  prev: EventRow | undefined,
): Link[] {
  const self = links.to('self', 'GET', pathAndQuery);
  const linkTo = (rel: 'next' | 'prev', cursor: 'start_id' | 'end_id', event: EventRow): Link => {
    const address = new URL(self.href);
    address.searchParams.delete('start_id');
    address.searchParams.delete('end_id');
    address.searchParams.set(cursor, event.id);
    return links.to(rel, 'GET', `${address.pathname}${address.search}`);
  };
  return [
    self,
    ...(next === undefined ? [] : [linkTo('next', 'start_id', next)]),
    ...(prev === undefined ? [] : [linkTo('prev', 'end_id', prev)]),
  ];
}
