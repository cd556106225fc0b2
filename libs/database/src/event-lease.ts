import { sql } from 'kysely';
import type { Database } from './database.js';
import { type StatusChange, changeTo, instantIn } from './event-status.js';
import type { PaymentRow, WebhookEventRow, WebhookStatus } from './schema.js';

/** An event as its dispatcher holds it; `dispatches` is the number of its lease. */
export type LeasedEvent = Pick<
  WebhookEventRow,
  | 'id'
  | 'environment'
  | 'application'
  | 'event_id'
  | 'event_type'
  | 'resource'
  | 'resource_ids'
  | 'dispatches'
>;

/**
 * Leases a received (or abandoned) event to the caller. Two dispatchers never both get it, and a dispatcher that dies
 * loses it when the lease ends: nothing is claimed and forgotten.
 */
export async function leaseWebhookEvent(
  db: Database,
  id: number,
  leaseMs: number,
): Promise<LeasedEvent | undefined> {
  return await db
    .updateTable('webhook_events')
    .set({
      ...changeTo('dispatching', { dueInMs: leaseMs }),
      dispatches: sql<number>`dispatches + 1`,
    })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('status', '=', 'received'),
        where.and([where('status', '=', 'dispatching'), where('due_at', '<', sql<Date>`clock_timestamp()`)]),
      ]),
    )
    .returning([
      'id',
      'environment',
      'application',
      'event_id',
      'event_type',
      'resource',
      'resource_ids',
      'dispatches',
    ])
    .executeTakeFirst();
}

/**
 * Ends a lease. A dispatcher whose lease was taken over while it worked writes nothing: the other one's word counts.
 *
 * @returns false when the lease was lost.
 */
export async function markWebhookEvent(
  db: Database,
  lease: Pick<LeasedEvent, 'id' | 'dispatches'>,
  status: WebhookStatus,
  change: StatusChange = {},
): Promise<boolean> {
  const marked = await db
    .updateTable('webhook_events')
    .set(changeTo(status, change))
    .where('id', '=', lease.id)
    .where('status', '=', 'dispatching')
    .where('dispatches', '=', lease.dispatches)
    .returning('id')
    .executeTakeFirst();
  return marked !== undefined;
}

/**
 * The payment that an event is about, its row locked: an activity that records a resource's id or an answer takes the
 * same lock, so that an event is either parked before it claims, or sees what it wrote.
 */
export async function lockPaymentOf(
  trx: Database,
  event: Pick<LeasedEvent, 'environment' | 'application' | 'resource_ids'>,
): Promise<PaymentRow | undefined> {
  return await trx
    .selectFrom('payments')
    .innerJoin('resources', 'resources.payment_id', 'payments.id')
    .selectAll('payments')
    .where('resources.environment', '=', event.environment)
    .where('resources.application', '=', event.application)
    .where(sql<boolean>`resources.resource_id = any(${event.resource_ids}::text[])`)
    .limit(1)
    .forUpdate('payments')
    .executeTakeFirst();
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
