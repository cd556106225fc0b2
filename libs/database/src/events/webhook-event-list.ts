import type { Database } from '../connection/database.js';
import { changeTo } from './event-status.js';
import { type PageFilter, pageOfOwn } from '../tables/pages.js';
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
  // So that the few which wait are found by the index that holds them only.
  if (status && waits(status)) query = query.where('due_at', 'is not', null);
  if (type !== undefined) query = query.where('event_type', '=', type);
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId);
  if (receivedSince) query = query.where('received_at', '>=', receivedSince);
  return await pageOfOwn(query, filter);
}

const lastStatuses = ['applied', 'ignored', 'conflict'] as const;

/** True for an event that somebody still has to do something about. */
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

/** What waits, by status: an event that is parked for ever shows in the age of the oldest. */
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

/**
 * Puts an event back for another dispatch, and the request on record. An applied one has done its work and is left as
 * it is, so is one that a dispatcher holds.
 *
 * @returns the event as it was before; undefined when there is none.
 */
export async function resendWebhookEvent(
  db: Database,
  owner: Owner,
  eventId: string,
  requestedBy: string,
): Promise<WebhookEventRow | undefined> {
  return await db.transaction().execute(async (trx) => {
    const event = await trx
      .selectFrom('webhook_events')
      .selectAll()
      .where('environment', '=', owner.environment)
      .where('application', '=', owner.application)
      .where('event_id', '=', eventId)
      .forUpdate()
      .executeTakeFirst();
    if (!event) return undefined;
    await trx
      .insertInto('webhook_resends')
      .values({ webhook_event_id: event.id, requested_by: requestedBy, status_before: event.status })
      .execute();
    if (event.status === 'parked' || event.status === 'ignored' || event.status === 'conflict') {
      // What nobody could tell the truth of is not believed because somebody asks: the provider is asked again.
      const isUnproved = event.contradictions > 0 && !event.shown_at;
      const status = isUnproved ? 'contested' : 'received';
      await trx
        .updateTable('webhook_events')
        .set(changeTo(status, { detail: `sent again by ${requestedBy}`, dueInMs: 0 }))
        .where('id', '=', event.id)
        .execute();
    }
    return event;
  });
}

/** Who asked for an event to be sent again, and when; oldest first. */
export async function listResends(db: Database, id: number) {
  return await db
    .selectFrom('webhook_resends')
    .select(['requested_by', 'requested_at', 'status_before'])
    .where('webhook_event_id', '=', id)
    .orderBy('id')
    .execute();
}
