import { beforeEach, expect, it } from 'vitest';
import { acceptPayout, savePayments, takeItems } from '#database/subjects';
import { subscriptionRecords, writeTransition } from '#database/transitions';
import { subscriptionSubject } from '#workflows/contract';
import { orderedPayout } from '#workflows/lifecycle/payout';
import type { SubscriptionPaymentStatus, SubscriptionStatus } from '#workflows/lifecycle/subscription';
import { nobodyBearsItsReference } from '../helpers/accept-request.js';
import { order } from '../lifecycle/payout/sample-payouts.js';
import { subscription } from '../lifecycle/subscription/sample-subscriptions.js';
import { newId, newIdentity, useEngineDatabase, orderCommand, owner } from './engine-database.js';
import { storeSubscription } from './stored-subscription.js';
import { receiversOf, register, notificationsOf, notificationTypesOf } from './subject-notifications.js';

const engine = useEngineDatabase();
beforeEach(async () => {
  await engine.db.deleteFrom('notification_endpoints').execute();
});

it('a subscription tells each change between active and suspended, and the one that a lost task took back', async () => {
  await register(engine.db);
  const identity = { ...owner, subscriptionId: newId('sub') };
  const ids = { id: identity.subscriptionId, plan_id: newId('plan') };
  await engine.db
    .insertInto('plans')
    .values({
      ...owner,
      id: ids.plan_id,
      name: 'n',
      content_hash: ids.plan_id,
      status: 'active',
      state: '{}',
      version: 1,
    })
    .execute();
  await engine.db
    .insertInto('subscriptions')
    .values({
      ...owner,
      ...ids,
      status: 'executing',
      state: JSON.stringify(subscription('executing')),
      version: 1,
      name: 'n',
      description: '',
      return_url: '',
      cancel_url: '',
    })
    .execute();
  const write = async (from: SubscriptionStatus, to: SubscriptionStatus, version: number, isNews = true) => {
    const line = { version, event: 'agreementObserved', kind: 'moved', from, to, at: Date.now() } as const;
    await writeTransition(engine.db, {
      records: subscriptionRecords,
      subject: subscriptionSubject(identity),
      state: subscription(to),
      version,
      timeline: isNews ? [line] : [],
      knownStatus: from,
    });
  };
  await write('executing', 'active', 3);
  await write('active', 'suspending', 4);
  await write('suspending', 'active', 5);
  await write('active', 'suspended', 6);
  // The next task finds it active and has no line of it.
  await write('active', 'active', 7, false);
  await write('active', 'suspended', 8);
  await write('suspended', 'reactivating', 9);
  await write('reactivating', 'suspended', 10);
  await write('suspended', 'cancelled', 11);
  expect(await notificationTypesOf(engine.db, identity.subscriptionId)).toEqual([
    'subscription.activated',
    'subscription.suspended',
    'subscription.reactivated',
    'subscription.suspended',
    'subscription.cancelled',
  ]);
});

it.each<{ reads: SubscriptionPaymentStatus[] }>([
  { reads: ['completed', 'partially_refunded'] },
  { reads: ['partially_refunded', 'refunded'] },
  { reads: ['pending', 'partially_refunded'] },
  { reads: ['pending', 'refunded'] },
  { reads: ['reversed'] },
])('a collected payment of a subscription is told as billed once, when $reads is read', async ({ reads }) => {
  await register(engine.db);
  const identity = await storeSubscription(engine.db, subscription('active'));
  for (const status of reads) await savePayment(identity, status);
  expect(await notificationTypesOf(engine.db, identity.subscriptionId)).toEqual([
    'subscription.cycle_billed',
  ]);
});

it('a payment that was collected before there were receivers is not told as billed when it is refunded', async () => {
  const identity = await storeSubscription(engine.db, subscription('active'));
  await savePayment(identity, 'completed');
  await register(engine.db);
  await savePayment(identity, 'refunded');
  expect(await notificationTypesOf(engine.db, identity.subscriptionId)).toEqual([]);
});

async function savePayment(
  identity: Awaited<ReturnType<typeof storeSubscription>>,
  status: SubscriptionPaymentStatus,
): Promise<void> {
  const at = new Date('2030-01-01T00:00:00Z');
  const payment = { transactionId: `S-${identity.subscriptionId}`, at, isSale: true, status, minor: 500 };
  await engine.db.transaction().execute(
    async (trx) =>
      await savePayments(trx, subscriptionSubject(identity), 'USD', {
        readAt: new Date(),
        payments: [payment],
      }),
  );
}

const shown = (n: number, status: 'pending' | 'success' | 'unclaimed' | 'returned') => ({
  itemId: `i-${n}`,
  providerItemId: `ITEM-${n}`,
  status,
  minor: 100,
  currency: 'USD',
});

it('a payout’s items tell each status once, in lanes of their own', async () => {
  await register(engine.db);
  const payoutId = newId('po');
  await acceptPayout(
    engine.db,
    { ...orderCommand(newIdentity()), id: `${payoutId}:order`, subjectId: payoutId },
    {
      state: orderedPayout({ ...order, payoutId, items: 2 }),
      sealedLetters: Buffer.from('sealed'),
      items: ['i-1', 'i-2'].map((itemId) => ({
        itemId,
        receiverType: 'EMAIL' as const,
        receiverMasked: 'a…@e…',
        minor: 100,
        currency: 'USD',
      })),
    },
    nobodyBearsItsReference,
  );
  await takeItems(engine.db, payoutId, [shown(1, 'pending'), shown(2, 'pending')]);
  await takeItems(engine.db, payoutId, [shown(1, 'success'), shown(2, 'unclaimed')]);
  await takeItems(engine.db, payoutId, [shown(1, 'success'), shown(2, 'returned')]);
  const items = (await notificationsOf(engine.db, payoutId)).map(
    ({ item_id: item, type }) => `${item} ${type}`,
  );
  expect(items.toSorted()).toEqual([
    'i-1 payout_item.succeeded',
    'i-2 payout_item.returned',
    'i-2 payout_item.unclaimed',
  ]);
  expect((await receiversOf(engine.db, `${payoutId}/i-2`)).length).toBe(2);
});
