import type { Client } from 'pg';
import type { Models, PaymentModel } from './models.js';

/** The applications: most rows, many, hardly any. */
export const applications = ['shop', 'market', 'kiosk'] as const;
export const environment = 'sandbox';

/** Of each rarity there are so many in every database, however large, evenly spread over its age. */
export const rareRows = 25;

/** What a copy is besides: its place among `rareRows` equal parts of the database. */
export const rare = {
  review: 1,
  doubt: 2,
  expired: 3,
  amount: 4,
  order: 5,
  kiosk: 6,
  currency: 7,
  unansweredCall: 8,
  refusedCall: 9,
  patchCall: 10,
  pathOfCall: 11,
  conflictingEvent: 12,
  parkedEvent: 13,
  ignoredEvent: 14,
  typeOfEvent: 15,
  typeOfNotification: 16,
  failedDelivery: 17,
  pendingDelivery: 18,
} as const;
const mostRare = Math.max(...Object.values(rare));

/** The age of the oldest payment. */
const days = 100;

/** Which model a kind of payment is copied from, and what its state has besides. */
const kinds: Readonly<Record<string, { readonly model: PaymentModel; readonly patch?: string }>> = {
  captured: { model: 'captured' },
  completed: { model: 'completed' },
  refunded: { model: 'refunded' },
  partial: { model: 'partial' },
  voided: { model: 'voided' },
  cancelled: { model: 'awaiting', patch: `'{"status": "cancelled"}'` },
  expired: { model: 'authorized', patch: `'{"status": "expired"}'` },
  awaiting: { model: 'awaiting' },
  authorized: { model: 'authorized' },
  review: { model: 'authorized', patch: openStep('needs_review') },
  doubt: { model: 'authorized', patch: openStep('capturing') },
};

/** A capture whose outcome nobody knows. */
function openStep(status: string): string {
  return `jsonb_build_object('status', '${status}', 'openStep', jsonb_build_object('number', 3,
    'step', '{"type": "captureAuthorization", "commandId": "model", "minor": 1000, "final": true}'::jsonb,
    'phase', 'doubt', 'attempts', 0, 'looks', 5, 'since', ms, 'horizonAt', ms + 120000, 'nextAt', ms + 3600000))`;
}

/**
 * Makes the table `model.copy`: one row for each payment that is to be, with its id, age, kind, application, order and
 * amount. Most have ended; what is open is young; some things are rare. Every thousandth has all rows of its model.
 */
export async function spreadPayments(client: Client, { payments }: Models, count: number): Promise<void> {
  const models = Object.entries(kinds).map(
    ([kind, { model }]) => `WHEN '${kind}' THEN '${payments[model]}'::text`,
  );
  const patches = Object.entries(kinds).map(
    ([kind, { patch }]) => `WHEN '${kind}' THEN ${patch ?? `'{}'`}::jsonb`,
  );
  await client.query(`
    CREATE UNLOGGED TABLE model.copy AS
    WITH aged AS (
      SELECT n, abs(hashint8(n)::bigint) % 1000 AS draw, n % ${Math.floor(count / rareRows)} AS part,
        model.now_ms() - ((${count} - n) * ${days * 86_400_000}::bigint) / ${count} AS ms
      FROM generate_series(1::bigint, ${count}) AS n
    ), drawn AS (
      SELECT *, CASE WHEN n % 1000 = 500 THEN 'captured'
        WHEN part = ${rare.review} OR n % 5000 = 17 THEN 'review'
        WHEN part = ${rare.doubt} OR n % 20000 = 33 THEN 'doubt'
        WHEN part = ${rare.expired} THEN 'expired'
        WHEN ms > model.now_ms() - 29 * 86400000::bigint AND draw < 100 THEN 'authorized'
        WHEN ms > model.now_ms() - 3 * 3600000 AND draw < 200 THEN 'awaiting'
        WHEN draw < 650 THEN 'captured' WHEN draw < 750 THEN 'completed' WHEN draw < 800 THEN 'refunded'
        WHEN draw < 850 THEN 'partial' WHEN draw < 930 THEN 'voided' ELSE 'cancelled' END AS kind
      FROM aged
    )
    SELECT n, ms, to_timestamp(ms / 1000.0) AS at, part, draw, kind,
      model.timed_id('pay_', ms, 'payment ' || n) AS id,
      CASE kind ${models.join(' ')} END AS model,
      CASE kind ${patches.join(' ')} END AS patch,
      CASE WHEN part = ${rare.kiosk} THEN 'kiosk' WHEN part > ${mostRare} AND draw % 10 < 3 THEN 'market'
        ELSE 'shop' END AS application,
      CASE WHEN part = ${rare.order} THEN 'order-repeated' ELSE 'order-' || n END AS order_id,
      CASE WHEN part = ${rare.amount} THEN 7777 ELSE 100 + (n * 104729) % 90000 END AS minor,
      CASE WHEN part = ${rare.currency} THEN 'JPY' WHEN draw % 10 < 8 THEN 'USD' ELSE 'EUR' END AS currency,
      n % 1000 = 500 AS is_whole
    FROM drawn`);
  await client.query('ANALYZE model.copy');
}
