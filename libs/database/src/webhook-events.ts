import { sql } from 'kysely';
import type { PaymentIdentity } from '../../workflows/src/contract.js';
import { type NotifiedResource, tellsNothingNew } from '../../workflows/src/lifecycle/notification.js';
import type { PaymentState } from '../../workflows/src/lifecycle/payment.js';
import type { Database } from './database.js';
import type { PaymentRow, WebhookEventRow, WebhookStatus } from './schema.js';
import { storableJson } from './storable-text.js';

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
}

/** Journals an event before it is acknowledged; a redelivery is counted and otherwise told apart by `isNew`. */
export async function journalWebhookEvent(
  db: Database,
  event: NewWebhookEvent,
): Promise<{ readonly id: number; readonly isNew: boolean }> {
  const row = await db
    .insertInto('webhook_events')
    .values({
      environment: event.environment,
      application: event.application,
      event_id: event.eventId,
      event_type: event.eventType,
      resource: storableJson(event.resource),
      resource_ids: [...event.resourceIds],
      payload: storableJson(event.payload),
      status: 'received',
      detail: null,
      payment_id: null,
      lease_until: null,
    })
    .onConflict((conflict) =>
      conflict
        .columns(['environment', 'application', 'event_id'])
        .doUpdateSet({ deliveries: sql`webhook_events.deliveries + 1` }),
    )
    .returning(['id', 'deliveries'])
    .executeTakeFirstOrThrow();
  return { id: row.id, isNew: row.deliveries === 1 };
}

/**
 * Leases a received (or abandoned) event to the caller. Two dispatchers never both get it, and a dispatcher that dies
 * loses it when the lease ends: nothing is claimed and forgotten.
 */
export async function leaseWebhookEvent(
  db: Database,
  id: number,
  leaseMs: number,
): Promise<WebhookEventRow | undefined> {
  return await db
    .updateTable('webhook_events')
    .set({ status: 'dispatching', lease_until: new Date(Date.now() + leaseMs), status_at: new Date() })
    .where('id', '=', id)
    .where((where) =>
      where.or([
        where('status', '=', 'received'),
        where.and([where('status', '=', 'dispatching'), where('lease_until', '<', new Date())]),
      ]),
    )
    .returningAll()
    .executeTakeFirst();
}

export async function markWebhookEvent(
  db: Database,
  id: number,
  status: WebhookStatus,
  { paymentId, detail }: { readonly paymentId?: string; readonly detail?: string } = {},
): Promise<void> {
  await db
    .updateTable('webhook_events')
    .set({
      status,
      status_at: new Date(),
      lease_until: null,
      ...(paymentId !== undefined && { payment_id: paymentId }),
      ...(detail !== undefined && { detail }),
    })
    .where('id', '=', id)
    .execute();
}

/**
 * The payment that an event is about, its row locked: an activity that records a resource's id or an answer takes the
 * same lock, so that an event is either parked before it claims, or sees what it wrote.
 */
export async function lockPaymentOf(trx: Database, event: WebhookEventRow): Promise<PaymentRow | undefined> {
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

/**
 * Takes the parked events of a payment in the transaction that has just written what they may be about: one that tells
 * nothing more is done with, any other is dispatched afresh.
 */
export async function releaseParkedEvents(
  trx: Database,
  { environment, application, paymentId }: PaymentIdentity,
  state: PaymentState,
): Promise<void> {
  const parked = await trx
    .selectFrom('webhook_events')
    .select(['id', 'resource'])
    .where('status', '=', 'parked')
    .where('environment', '=', environment)
    .where('application', '=', application)
    .where('resource_ids', '&&', sql<string[]>`${resourceIdsOf(state)}::text[]`)
    .forUpdate()
    .execute();
  for (const { id, resource } of parked) {
    const isKnown = tellsNothingNew(state, resource);
    await markWebhookEvent(trx, id, isKnown ? 'applied' : 'received', {
      paymentId,
      detail: isKnown ? 'nothing new' : 'the step it waited for has ended',
    });
  }
}

function resourceIdsOf(state: PaymentState): string[] {
  const ids = [
    state.providerPaymentId,
    state.authorization?.authorizationId,
    ...state.captures.map((c) => c.captureId),
  ];
  return ids.filter((id) => id !== undefined);
}

/** Events that the immediate dispatch left behind, oldest first. */
export async function findUndispatchedEvents(
  db: Database,
  olderThan: Date,
  limit: number,
): Promise<{ id: number }[]> {
  return await db
    .selectFrom('webhook_events')
    .select('id')
    .where('status', 'in', ['received', 'dispatching'])
    .where('status_at', '<', olderThan)
    .orderBy('status_at')
    .limit(limit)
    .execute();
}

/**
 * Puts parked events back whose resource is known by now. Normally the transaction that recorded the resource claimed
 * them; an event that was parked while that transaction was open has been missed.
 */
export async function unparkWebhookEvents(
  db: Database,
  olderThan: Date,
  limit: number,
): Promise<{ id: number }[]> {
  const missed = db
    .selectFrom('webhook_events')
    .select('webhook_events.id')
    .where('status', '=', 'parked')
    .where('status_at', '<', olderThan)
    .where((where) =>
      where.exists(
        where
          .selectFrom('resources')
          .select('resources.payment_id')
          .whereRef('resources.environment', '=', 'webhook_events.environment')
          .whereRef('resources.application', '=', 'webhook_events.application')
          .where(sql<boolean>`resources.resource_id = any(webhook_events.resource_ids)`),
      ),
    )
    .orderBy('status_at')
    .limit(limit)
    .forUpdate()
    .skipLocked();
  return await db
    .updateTable('webhook_events')
    .set({ status: 'received', status_at: new Date() })
    .where('id', 'in', missed)
    .returning('id')
    .execute();
}

export async function listWebhookEvents(db: Database, paymentId: string): Promise<WebhookEventRow[]> {
  return await db
    .selectFrom('webhook_events')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('id')
    .execute();
}
