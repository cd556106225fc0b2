import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { deleteEndpoint, insertTest } from '#database/notifications';
import { openReconciliation } from '#database/reconciliation';
import { purge } from '#database/retention';
import { insertObservedRefund } from '#database/subjects';
import { refundRecords, writeTransition } from '#database/transitions';
import { refundSubject } from '#workflows/contract';
import { advanceRefund, observedRefund, type RefundFacts } from '#workflows/lifecycle/refund';
import { refund, usd } from '../lifecycle/refund/sample-refunds.js';
import { newId, owner, storePayment, useEngineDatabase } from './engine-database.js';
import { notificationsOf, notificationTypesOf, register } from './subject-notifications.js';

const engine = useEngineDatabase();
beforeAll(async () => {
  await register(engine.db);
  await openReconciliation(engine.db, owner, 1);
});

const collected = { kind: 'capture', id: 'CAP-1' } as const;

it('a chargeback whose notification is purged is not told as new when its amount becomes known', async () => {
  const { paymentId } = await storePayment(engine.db);
  const identity = { ...owner, refundId: newId('re') };
  const { patience } = refund('completed');
  let position = {
    state: observedRefund({ kind: 'reversal', collected }, paymentId, patience, 0),
    version: 0,
  };
  await insertObservedRefund(engine.db, identity, position.state);
  const read = async (facts: Omit<RefundFacts, 'collected' | 'state' | 'paymentId'>) => {
    const shown = { ...collected, amount: usd(100), state: 'refunded' };
    const event = {
      type: 'refundObserved',
      facts: { ...facts, state: 'completed', paymentId, collected: shown },
    } as const;
    const next = advanceRefund(position, event, Date.now());
    await writeTransition(engine.db, {
      records: refundRecords,
      subject: refundSubject(identity),
      ...next.position,
      timeline: next.entry ? [next.entry] : [],
      knownStatus: position.state.status,
    });
    position = next.position;
  };

  await read({});
  expect(await notificationTypesOf(engine.db, identity.refundId)).toEqual(['chargeback.created']);
  await sql`update notification_deliveries set state = 'delivered'`.execute(engine.db);
  await sql`update notifications set created_at = now() - interval '40 days'`.execute(engine.db);
  await sql`update refunds set updated_at = now() - interval '40 days'`.execute(engine.db);
  await purge(engine.db, { sandbox: { notifications: 30 } }, { batch: 10, pauseMs: 0 });
  expect(await notificationsOf(engine.db, identity.refundId)).toEqual([]);

  await read({ amount: usd(100), chargedBack: usd(100) });
  expect(await notificationTypesOf(engine.db, identity.refundId)).toEqual(['chargeback.completed']);
});

it('a notification that was written while its endpoint was deleted is purged, and one of another endpoint is not', async () => {
  const [deleted, kept] = [await register(engine.db), await register(engine.db)];
  await deleteEndpoint(engine.db, owner, deleted);
  for (const id of [deleted, kept]) await insertTest(engine.db, owner, { id });
  await sql`update notifications set created_at = now() - interval '40 days'`.execute(engine.db);
  await purge(engine.db, { sandbox: { notifications: 30 } }, { batch: 10, pauseMs: 0 });
  expect(await notificationTypesOf(engine.db, deleted)).toEqual([]);
  expect(await notificationTypesOf(engine.db, kept)).toEqual(['endpoint.test']);
});
