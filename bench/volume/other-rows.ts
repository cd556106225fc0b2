import type { ModelTable } from './models.js';
import type { RowCopier } from './row-copier.js';
import { environment, rareRows } from './spread.js';

const of = (table: ModelTable): string => `model.other AS copy CROSS JOIN model.${table} AS m`;

/** Plans, subscriptions, payouts, drift and audit: fewer than payments, in small databases more than two pages. */
export async function insertOthers(copier: RowCopier, count: number): Promise<void> {
  const span = 100 * 86_400_000;
  await copier.run(`CREATE UNLOGGED TABLE model.other AS SELECT n, ms, to_timestamp(ms / 1000.0) AS at,
      model.timed_id('plan_', ms, 'plan ' || n) AS plan, model.timed_id('sub_', ms, 'sub ' || n) AS subscription,
      model.timed_id('po_', ms, 'payout ' || n) AS payout
    FROM (SELECT n, model.now_ms() - ((${count} - n) * ${span}::bigint) / ${count} AS ms
      FROM generate_series(1::bigint, ${count}) AS n) AS aged`);
  const dates = { application: `'shop'`, created_at: 'copy.at', updated_at: 'copy.at' };
  await copier.insert('plans', `${of('plans')} ORDER BY n`, {
    ...dates,
    id: 'copy.plan',
    content_hash: `md5(copy.plan)`,
    status: `CASE WHEN n % ${Math.floor(count / rareRows)} = 1 THEN 'inactive' ELSE m.status END`,
  });
  await copier.insert('subscriptions', `${of('subscriptions')} ORDER BY n`, {
    ...dates,
    id: 'copy.subscription',
    plan_id: `CASE WHEN n % ${Math.floor(count / rareRows)} = 1 THEN (SELECT min(plan) FROM model.other) ELSE copy.plan END`,
    status: `CASE WHEN n % ${Math.floor(count / rareRows)} = 2 THEN 'suspended' ELSE m.status END`,
  });
  await copier.insert('subscription_payments', of('subscription_payments'), {
    subscription_id: 'copy.subscription',
    at: `copy.at + (m.at - '2026-01-01')`,
  });
  await copier.insert('payouts', `${of('payouts')} ORDER BY n`, {
    ...dates,
    id: 'copy.payout',
    reference: `'payout-' || n`,
    status: `CASE WHEN n % ${Math.floor(count / rareRows)} = 1 THEN 'denied' ELSE m.status END`,
  });
  await copier.insert('payout_items', of('payout_items'), {
    payout_id: 'copy.payout',
    updated_at: 'copy.at',
  });
  await copier.run(`INSERT INTO drift (environment, application, subject_id, field, ours, theirs, first_seen_at, last_seen_at,
      resolved_at, is_unread)
    SELECT '${environment}', 'shop', copy.id, 'state', 'captured', 'authorized', copy.at, copy.at,
      CASE WHEN copy.n % (${Math.floor(count / rareRows)}) <> 1 THEN copy.at END, copy.n % 3 = 0
    FROM model.copy AS copy WHERE copy.application = 'shop' ORDER BY copy.n LIMIT ${count}`);
  await copier.run(`INSERT INTO console_audit (at, user_name, role, action, environment, application, subject_id)
    SELECT copy.at, CASE WHEN n % ${Math.floor(count / rareRows)} = 1 THEN 'rare' ELSE 'user' || n % 5 END, 'operator',
      CASE WHEN n % ${Math.floor(count / rareRows)} = 2 THEN 'resend' ELSE 'check' END, '${environment}', 'shop', copy.payout
    FROM model.other AS copy ORDER BY n`);
}
