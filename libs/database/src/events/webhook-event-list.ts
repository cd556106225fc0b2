import type { Database } from '../connection/database.js';
import { newestOfHalves } from './newest-of-halves.js';
import { type PageFilter, pageOfOwn } from '../tables/pages.js';
import { ofSpan } from '../tables/rows-of-time.js';
import type { Owner } from '../schema/owner.js';
import type { WebhookEventRow, WebhookStatus } from '../schema/schema.js';

export interface WebhookEventFilter extends PageFilter<number> {
  readonly status?: WebhookStatus | undefined;
  readonly type?: string | undefined;
  readonly subjectId?: string | undefined;
  readonly receivedSince?: Date | undefined;
}

export async function findWebhookEvents(
  db: Database,
  filter: WebhookEventFilter,
): Promise<WebhookEventRow[]> {
  const { status, type, subjectId, receivedSince } = filter;
  let query = db.selectFrom('webhook_events').selectAll();
  if (status) query = query.where('status', '=', status);
  // Uses the partial index of the few waiting events.
  if (status && waits(status)) query = query.where('due_at', 'is not', null);
  if (type !== undefined) query = query.where('event_type', '=', type);
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
  if (receivedSince) query = query.where(await ofSpan(db, 'webhook_events', { from: receivedSince }));
  if (type === undefined) return await pageOfOwn(query, filter);
  const { environment, application, before, limit } = filter;
  let own = query.where('environment', '=', environment).where('application', '=', application);
  if (before !== undefined) own = own.where('id', '<', before);
  return await pageOfOwn(newestOfHalves(own, limit), filter);
}

const lastStatuses = ['applied', 'ignored', 'conflict'] as const;

/** True for a status in which the event still waits to be processed. */
export function waits(status: WebhookStatus): boolean {
  return lastStatuses.every((last) => status !== last);
}

/** @param eventId the provider's. */
export async function findWebhookEvent(
  db: Database,
  { environment, application }: Owner,
  eventId: string,
): Promise<WebhookEventRow | undefined> {
  return await db
    .selectFrom('webhook_events')
    .selectAll()
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('event_id', '=', eventId)
    .executeTakeFirst();
}

export interface Backlog {
  readonly status: WebhookStatus;
  readonly count: number;
  readonly oldest: Date;
}

/** The waiting events by status. An event that stays parked shows in the age of the oldest. */
export async function countWaitingEvents(
  db: Database,
  { environment, application }: Owner,
): Promise<Backlog[]> {
  return await db
    .selectFrom('webhook_events')
    .select((select) => [
      'status',
      select.fn.countAll<number>().as('count'),
      select.fn.min('received_at').as('oldest'),
    ])
    .where('due_at', 'is not', null)
    .where('environment', '=', environment)
    .where('application', '=', application)
    .groupBy('status')
    .orderBy('status')
    .execute();
}
