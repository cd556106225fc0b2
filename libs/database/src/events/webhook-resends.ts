import { sql } from 'kysely';
import type { Database } from '../connection/database.js';
import type { Owner } from '../schema/owner.js';
import type { WebhookEventRow } from '../schema/schema.js';
import { changeTo } from './event-status.js';

/** The limit for one event: more than a person who tries repeatedly requests in an hour. */
export const mostResendsAnHour = 20;
/** The number of listed requests of one event. */
const mostListedResends = 100;

/** The result of a request for another dispatch. */
export type ResendResult =
  | { readonly kind: 'resent'; readonly id: number }
  | { readonly kind: 'unknown' }
  /** The event was not put back. */
  | { readonly kind: 'too-often'; readonly retryAfterSeconds: number };

/**
 * Puts an event back for another dispatch and records the request. An event that is applied, or that a dispatcher has leased,
 * does not change.
 */
export async function resendWebhookEvent(
  db: Database,
  owner: Owner,
  eventId: string,
  requestedBy: string,
): Promise<ResendResult> {
  return await db.transaction().execute(async (trx): Promise<ResendResult> => {
    const event = await trx
      .selectFrom('webhook_events')
      .select(['id', 'status', 'contradictions', 'shown_at'])
      .where('environment', '=', owner.environment)
      .where('application', '=', owner.application)
      .where('event_id', '=', eventId)
      .forUpdate()
      .executeTakeFirst();
    if (!event) return { kind: 'unknown' };
    // While the event is locked: each of several concurrent requests sees the earlier ones.
    const retryAfterSeconds = await secondsUntilNext(trx, event.id);
    if (retryAfterSeconds > 0) return { kind: 'too-often', retryAfterSeconds };
    await trx
      .insertInto('webhook_resends')
      .values({ webhook_event_id: event.id, requested_by: requestedBy, status_before: event.status })
      .execute();
    await putBack(trx, event, requestedBy);
    return { kind: 'resent', id: event.id };
  });
}

async function putBack(
  trx: Database,
  event: Pick<WebhookEventRow, 'id' | 'status' | 'contradictions' | 'shown_at'>,
  requestedBy: string,
): Promise<void> {
  if (event.status !== 'parked' && event.status !== 'ignored' && event.status !== 'conflict') return;
  // A request does not prove a contested event: the provider is asked again.
  const isUnproved = event.contradictions > 0 && !event.shown_at;
  const status = isUnproved ? 'contested' : 'received';
  await trx
    .updateTable('webhook_events')
    .set(changeTo(status, { detail: `sent again by ${requestedBy}`, dueInMs: 0 }))
    .where('id', '=', event.id)
    .execute();
}

/** 0 if the event may be dispatched again now. */
async function secondsUntilNext(trx: Database, id: number): Promise<number> {
  const next = sql<number>`ceil(extract(epoch from requested_at + interval '1 hour' - clock_timestamp()))::int`;
  const last = await trx
    .selectFrom('webhook_resends')
    .select(next.as('seconds'))
    .where('webhook_event_id', '=', id)
    .orderBy('id', 'desc')
    .offset(mostResendsAnHour - 1)
    .limit(1)
    .executeTakeFirst();
  return Math.max(0, last?.seconds ?? 0);
}

/** The latest requests to dispatch an event again, oldest first. */
export async function listResends(db: Database, id: number) {
  const latest = await db
    .selectFrom('webhook_resends')
    .select(['requested_by', 'requested_at', 'status_before'])
    .where('webhook_event_id', '=', id)
    .orderBy('id', 'desc')
    .limit(mostListedResends)
    .execute();
  return latest.toReversed();
}
