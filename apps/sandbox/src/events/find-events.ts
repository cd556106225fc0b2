import { sql, type Kysely } from 'kysely';
import { z } from 'zod';
import type { EventRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Link, Links } from '../http/links.js';
import { describeEvent } from './event-representation.js';

const instant = z.iso.datetime({ offset: true }).transform((text) => new Date(text));
const id = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

export const eventListQuery = z.object({
  page_size: z.coerce.number().int().min(1).max(300).default(10),
  start_time: instant.optional(),
  end_time: instant.optional(),
  transaction_id: id.optional(),
  event_type: z
    .string()
    .regex(/^[A-Z.-]{1,100}$/)
    .optional(),
  /** The first event of this page, as the `next` link of the page before gives it. */
  start_id: id.optional(),
});

type EventListQuery = z.output<typeof eventListQuery>;

/** @throws ApiError INVALID_RESOURCE_ID when the application has no such event. */
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
    .executeTakeFirst();
  if (event === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return event;
}

/** An application's past events, newest first. */
export async function listEvents(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  query: EventListQuery,
  pathAndQuery: string,
): Promise<object> {
  let page = database.selectFrom('events').selectAll().where('client_id', '=', clientId);
  if (query.start_time !== undefined) page = page.where('created_at', '>=', query.start_time);
  if (query.end_time !== undefined) page = page.where('created_at', '<=', query.end_time);
  if (query.transaction_id !== undefined) page = page.where('resource_id', '=', query.transaction_id);
  if (query.event_type !== undefined) page = page.where('event_type', '=', query.event_type);
  if (query.start_id !== undefined) {
    const { created_at: start } = await findEvent(database, clientId, query.start_id);
    page = page.where(sql<boolean>`(created_at, id) <= (${start}, ${query.start_id})`);
  }
  const rows = await page
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(query.page_size + 1)
    .execute();
  const events = rows.slice(0, query.page_size).map((event) => describeEvent(event, links));
  return { events, count: events.length, links: pageLinks(links, pathAndQuery, rows[query.page_size]) };
}

function pageLinks(links: Links, pathAndQuery: string, next: EventRow | undefined): Link[] {
  const self = links.page('self', pathAndQuery);
  if (next === undefined) return [self];
  const address = new URL(self.href);
  address.searchParams.set('start_id', next.id);
  return [self, links.page('next', `${address.pathname}${address.search}`)];
}
