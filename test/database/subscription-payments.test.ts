import { expect, it } from 'vitest';
import { listSubscriptionPayments, savePayments } from '#database/subjects';
import { subscriptionSubject } from '#workflows/contract';
import type { SubscriptionPaymentStatus } from '#workflows/lifecycle/subscription';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { useEngineDatabase } from './engine-database.js';
import { collectPayments, storeSubscription } from './stored-subscription.js';

const engine = useEngineDatabase();

const at = (day: number) => `2030-01-0${day}T00:00:00Z`;

const idsOf = (rows: readonly { transaction_id: string }[]) => rows.map((row) => row.transaction_id);

it('a page of payments ends with all payments of an instant, so that none is left out by the next page', async () => {
  const identity = await storeSubscription(engine.db, subscription('active'));
  const { subscriptionId: id } = identity;
  await collectPayments(
    engine.db,
    identity,
    [`a-${id}`, at(1)],
    [`c-${id}`, at(2)],
    [`b-${id}`, at(2)],
    [`d-${id}`, at(3)],
  );
  const first = await listSubscriptionPayments(engine.db, id, { limit: 2 });
  expect(idsOf(first)).toEqual([`a-${id}`, `b-${id}`, `c-${id}`]);
  const next = await listSubscriptionPayments(engine.db, id, { limit: 2, after: new Date(at(2)) });
  expect(idsOf(next)).toEqual([`d-${id}`]);
});

const shown = (id: string, status: SubscriptionPaymentStatus, readAt: Date) => ({
  readAt,
  payments: [{ transactionId: `s-${id}`, at: new Date(at(1)), isSale: true, status, minor: 500 }],
});

it.each([
  ['a later read', 1, 'partially_refunded'],
  ['another read of the same instant', 0, 'partially_refunded'],
  ['an earlier read', -1, 'completed'],
] as const)(
  'a payment is, after %s that shows it otherwise, what the newest read shows',
  async (_, later, is) => {
    const identity = await storeSubscription(engine.db, subscription('active'));
    const { subscriptionId: id } = identity;
    const subject = subscriptionSubject(identity);
    const readAt = Date.parse(at(2));
    const changes = await engine.db.transaction().execute(async (trx) => {
      await savePayments(trx, subject, 'USD', shown(id, 'completed', new Date(readAt)));
      const read = shown(id, 'partially_refunded', new Date(readAt + later));
      return (await savePayments(trx, subject, 'USD', read)).changes;
    });
    expect(changes.map(({ status }) => status)).toEqual(is === 'completed' ? [] : [is]);
    const rows = await listSubscriptionPayments(engine.db, id, {});
    expect(rows.map(({ status }) => status)).toEqual([is]);
  },
);

it('a payment is new once when two reads that show it are saved at the same time', async () => {
  const identity = await storeSubscription(engine.db, subscription('active'));
  const subject = subscriptionSubject(identity);
  const read = shown(identity.subscriptionId, 'completed', new Date(at(2)));
  const first = await engine.db.startTransaction().execute();
  const saved = await savePayments(first, subject, 'USD', read);
  const second = engine.db.transaction().execute((trx) => savePayments(trx, subject, 'USD', read));
  await until(
    () => waitingForLocks(engine.db),
    (waiting) => waiting > 0,
    'the second one to wait for the first',
  );
  await first.commit().execute();
  expect([saved.changes.length, (await second).changes.length]).toEqual([1, 0]);
});
