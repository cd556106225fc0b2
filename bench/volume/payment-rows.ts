import type { RowCopier } from './row-copier.js';
import { applications, rare, rareRows } from './spread.js';

const unique = (seed: string): string => `md5('${seed} ' || copy.n || ' ' || m.nth)`;
const isRare = (what: keyof typeof rare): string => `copy.part = ${rare[what]}`;
const farAway = `now() + interval '1000 days'`;

/** The steps that write the rows of `model.copy`, with their names. */
export const paymentRows: Readonly<Record<string, (copier: RowCopier) => Promise<void>>> = {
  payments: (copier) =>
    copier.insert(
      'payments',
      'model.copy AS copy JOIN model.payments AS m ON m.id = copy.model ORDER BY copy.n',
      {
        id: 'copy.id',
        application: 'copy.application',
        order_id: 'copy.order_id',
        status: `coalesce(copy.patch ->> 'status', m.status)`,
        state: `jsonb_set(CASE WHEN m.state ? 'authorization'
          THEN jsonb_set(m.state, '{authorization,validUntil}', to_jsonb(copy.ms + 29 * 86400000::bigint)) ELSE m.state END,
          '{order,amount}', jsonb_build_object('minor', copy.minor, 'currency', copy.currency)) || copy.patch`,
        created_at: 'copy.at',
        updated_at: 'copy.at',
      },
    ),
  commands: (copier) =>
    copier.insertParts('commands', 'first', {
      id: `copy.id || ':' || m.nth`,
      idempotency_key: `'key-' || copy.n || '-' || m.nth`,
      created_at: 'copy.at',
      updated_at: 'copy.at',
    }),
  attempts: (copier) =>
    copier.insertParts('attempts', 'first', {
      request_id: unique('request'),
      reference: `'INV-' || copy.n || '-' || m.nth`,
      begun_at: 'copy.at',
      settled_at: 'copy.at',
    }),
  resources: (copier) =>
    copier.insertParts('resources', 'firstTwo', {
      resource_id: `m.kind || '-' || copy.n || '-' || m.nth`,
      created_at: 'copy.at',
    }),
  timeline: (copier) => copier.insertParts('timeline', 'firstTwo', { at: 'copy.at' }),
  calls: (copier) =>
    copier.insertParts('api_calls', 'oneOf', {
      started_at: 'copy.at',
      debug_id: unique('debug'),
      transaction_id: `'transaction-' || copy.n || '-' || m.nth`,
      status: `CASE WHEN ${isRare('unansweredCall')} THEN NULL WHEN ${isRare('refusedCall')} THEN 429
          WHEN copy.n % 997 = 5 THEN 503 WHEN copy.n % 211 = 7 THEN 422 ELSE m.status END`,
      error: `CASE WHEN ${isRare('unansweredCall')} THEN 'NoAnswer' ELSE m.error END`,
      method: `CASE WHEN ${isRare('patchCall')} THEN 'PATCH' ELSE m.method END`,
      path: `CASE WHEN ${isRare('pathOfCall')} THEN '/v1/payments/rare/' || copy.n ELSE m.path END`,
    }),
  events: (copier) =>
    copier.insertParts('webhook_events', 'oneOf', {
      event_id: `'WH-' || copy.n || '-' || m.nth`,
      resource_ids: `ARRAY(SELECT id || '-' || copy.n FROM unnest(m.resource_ids) AS id)`,
      status: `CASE WHEN ${isRare('conflictingEvent')} THEN 'conflict' WHEN ${isRare('parkedEvent')} THEN 'parked'
          WHEN ${isRare('ignoredEvent')} THEN 'ignored' ELSE m.status END`,
      event_type: `CASE WHEN ${isRare('typeOfEvent')} THEN 'RARE.EVENT' ELSE m.event_type END`,
      due_at: `CASE WHEN ${isRare('parkedEvent')} THEN ${farAway} END`,
      received_at: 'copy.at',
      status_at: 'copy.at',
    }),
  endpoints: (copier) =>
    copier.insert(
      'notification_endpoints',
      `unnest(ARRAY['${applications.join(`', '`)}']) AS copy (application) CROSS JOIN model.notification_endpoints AS m`,
      {
        id: `model.timed_id('we_', model.now_ms(), 'endpoint ' || copy.application)`,
        application: 'copy.application',
        // Nothing is sent: nobody listens there.
        status: `'disabled'`,
      },
    ),
  notifications: (copier) =>
    copier.insertParts('notifications', 'first', {
      id: `'evt_' || ${unique('notification')}`,
      type: `CASE WHEN ${isRare('typeOfNotification')} THEN 'payment.declined' ELSE m.type END`,
      created_at: 'copy.at',
      written_by: 'pg_current_xact_id()',
    }),
  deliveries: (copier) => {
    const part = `told.sequence % (SELECT max(sequence) / ${rareRows} FROM public.notifications)`;
    return copier.run(`INSERT INTO notification_deliveries
          (endpoint_id, sequence, lane, state, due_at, leases, tries, last_status, finished_at)
        SELECT endpoint.id, told.sequence, told.subject_id, CASE ${part} WHEN ${rare.failedDelivery} THEN 'failed'
            WHEN ${rare.pendingDelivery} THEN 'pending' ELSE 'delivered' END,
          CASE ${part} WHEN ${rare.pendingDelivery} THEN ${farAway} ELSE told.created_at END, 1, 1, 204, told.created_at
        FROM public.notifications AS told JOIN notification_endpoints AS endpoint USING (environment, application)
        ORDER BY told.sequence`);
  },
  refunds: async (copier) => {
    await copier.run(`CREATE UNLOGGED TABLE model.refund_copy AS
        SELECT copy.n, copy.ms, copy.at, copy.id AS payment_id, copy.application, true AS is_whole, m.id AS model, copy.part,
          model.timed_id('re_', copy.ms, 'refund ' || m.id || copy.n) AS id
        FROM model.copy AS copy JOIN model.refunds AS m ON m.payment_id = copy.model`);
    await copier.insert(
      'refunds',
      'model.refund_copy AS copy JOIN model.refunds AS m ON m.id = copy.model ORDER BY copy.n',
      {
        id: 'copy.id',
        payment_id: 'copy.payment_id',
        application: 'copy.application',
        provider_refund_id: `m.provider_refund_id || '-' || copy.n`,
        created_at: 'copy.at',
        updated_at: 'copy.at',
      },
    );
    await copier.insertParts('timeline', 'firstTwo', { at: 'copy.at' }, 'model.refund_copy');
  },
};
