import { sql } from 'kysely';
import type { Database } from '#database/connection';
import { saveProviderWebhook } from '#database/events';
import { storeAuthorizedPayment } from '../database/engine-database.js';

/** How the rows get to where an alert fires: as its cause would leave them, an hour or more ago. */
export const causes: Readonly<Record<string, (db: Database, application: string) => Promise<void>>> = {
  EngineReviewWaits: async (db, application) => {
    await paymentOf(db, application, sql`status = 'needs_review', updated_at = now() - interval '2 hours'`);
  },
  EngineDoubtLasts: async (db, application) => {
    const since = Date.now() - 3_600_000;
    const step = JSON.stringify({ phase: 'doubt', since });
    await paymentOf(
      db,
      application,
      sql`status = 'capturing', state = jsonb_set(state, '{openStep}', ${step}::jsonb)`,
    );
  },
  EngineCommandNotTaken: async (db, application) => {
    const id = await paymentOf(db, application, sql`status = 'awaiting_approval'`);
    await sql`update commands set application = ${application}, status = 'accepted', created_at = now() - interval '1 hour'
      where subject_id = ${id}`.execute(db);
  },
  EngineDeadlinePassed: async (db, application) => {
    const ended = String(Date.now() - 3_600_000);
    await paymentOf(
      db,
      application,
      sql`state = jsonb_set(state, '{authorization,validUntil}', ${ended}::jsonb)`,
    );
  },
  EngineInboxStands: async (db, application) => await eventOf(db, application, 'received'),
  EngineEventsParked: async (db, application) => await eventOf(db, application, 'parked'),
  EngineWebhookMissing: async (db, application) => {
    const problem = 'The account has no room for another webhook.';
    const url = 'https://payments.example';
    await saveProviderWebhook(db, { environment: 'sandbox', application, webhookId: null, url, problem });
  },
  EngineDrift: async (db, application) => {
    await sql`insert into drift (environment, application, subject_id, field, ours, theirs)
      values ('sandbox', ${application}, 'pay_1', 'hold', 'authorized', 'voided')`.execute(db);
  },
  EngineReconciliationStands: async (db, application) =>
    await reconciled(db, application, sql`now() - interval '1 hour'`, 0),
  EngineRunsUnknown: async (db, application) => await reconciled(db, application, sql`now()`, 7),
  EngineRunsBlocked: async (db, application) => {
    await sql`insert into drift (environment, application, subject_id, field, ours, theirs)
      values ('sandbox', ${application}, 'pay_2', 'run', 'authorized', 'blocked')`.execute(db);
  },
  EngineNotificationsLate: async (db, application) => {
    await endpointOf(db, application, null);
    await sql`insert into notification_deliveries (endpoint_id, sequence, lane, due_at)
      values (${`we_${application}`}, 1, 'pay_1', now() - interval '1 hour')`.execute(db);
  },
  EngineNotificationEndpointFails: async (db, application) => {
    await endpointOf(db, application, new Date(Date.now() - 3_600_000));
  },
};

async function paymentOf(db: Database, application: string, change: ReturnType<typeof sql>): Promise<string> {
  const { paymentId } = await storeAuthorizedPayment(db);
  await sql`update commands set status = 'succeeded' where subject_id = ${paymentId}`.execute(db);
  await sql`update payments set application = ${application}, ${change} where id = ${paymentId}`.execute(db);
  return paymentId;
}

async function eventOf(db: Database, application: string, status: string): Promise<void> {
  await sql`insert into webhook_events
    (environment, application, event_id, event_type, resource, resource_ids, payload, status, due_at, received_at)
    values ('sandbox', ${application}, ${`WH-${application}`}, 'PAYMENT.SALE.COMPLETED', '{}', '{}', '{}', ${status},
      now(), now() - interval '2 hours')`.execute(db);
}

async function reconciled(
  db: Database,
  application: string,
  at: ReturnType<typeof sql>,
  unknown: number,
): Promise<void> {
  await sql`insert into reconciliations
    (environment, application, events_until, timeline_until, payments_compared_at, runs_unknown)
    values ('sandbox', ${application}, now(), 0, ${at}, ${unknown})`.execute(db);
}

async function endpointOf(db: Database, application: string, failingSince: Date | null): Promise<void> {
  await sql`insert into notification_endpoints
    (id, environment, application, url, event_types, secret, body_hash, failing_since)
    values (${`we_${application}`}, 'sandbox', ${application}, 'https://shop.example', '{}', decode('00', 'hex'), '',
      ${failingSince})`.execute(db);
}
