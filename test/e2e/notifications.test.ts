import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { isSignedBy, NotificationReceiver } from '../helpers/notification-receiver.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { SubscriptionStage, type SubscriptionView } from './subscription-stage.js';
import { usd } from '../helpers/usd.js';

let engine: Engine;
let receiver: NotificationReceiver;
let secret: string;
beforeAll(async () => {
  [engine, receiver] = await Promise.all([startEngine(), NotificationReceiver.start()]);
  const endpoint = await engine.orders.post<{ secret: string }>('/v1/notification-endpoints', randomUUID(), {
    url: receiver.url,
  });
  expect(endpoint.status).toBe(201);
  secret = endpoint.body.secret;
});
afterAll(async () => {
  receiver.close();
  await engine.close();
});

/** What was told about a subject, each once, when the last of it is there. */
async function reportedUntil(subjectId: string, last: string): Promise<string[]> {
  return await until(
    async () => receiver.typesAbout(subjectId),
    (types) => types.at(-1) === last,
    `${subjectId} to be told as ${last}`,
  );
}

async function refundOf(paymentId: string, kind: 'refund' | 'reversal'): Promise<string> {
  const { refunds } = await until(
    () => engine.orders.get(paymentId),
    (payment) => payment.refunds.some((each) => each.kind === kind),
    `a ${kind} of ${paymentId}`,
  );
  return refunds.find((each) => each.kind === kind)?.id ?? '';
}

describe('an order service is told', () => {
  it('the way of a payment, in order, each step once, and of its refund and chargeback', async () => {
    const { orders, sandbox } = engine;
    const { body } = await orders.order();
    const { id, approvalUrl } = await orders.reaches(body.id, 'awaiting_approval');
    await sandbox.approve(
      new URL(approvalUrl ?? '').searchParams.get('paymentId') ?? (await providerPaymentOf(id)),
    );
    await orders.reaches(id, 'authorized');
    await orders.capture(id, { amount: usd('30.00') });
    const { body: captured } = await orders.capture(id);
    expect(await reportedUntil(id, 'payment.captured')).toEqual([
      'payment.awaiting_approval',
      'payment.authorized',
      'payment.partially_captured',
      'payment.captured',
    ]);
    const { body: refund } = await orders.refund(id, {
      amount: usd('10.00'),
      captureId: captured.capture.id,
    });
    expect(await reportedUntil(refund.id, 'refund.completed')).toEqual([
      'refund.created',
      'refund.completed',
    ]);
    await sandbox.chargeBack(captured.capture.id);
    expect(await reportedUntil(await refundOf(id, 'reversal'), 'chargeback.completed')).toEqual([
      'chargeback.created',
      'chargeback.completed',
    ]);
  });

  it('each warning before a hold ends, and its end, and not before the hold has ended', async () => {
    await engine.sandbox.configure({ approval: 'immediate', dayLengthMs: 300 });
    // Nothing but its own deadlines ends the payment, and they come one after the other, however late.
    await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
    const { body } = await engine.orders.order({ expiryPolicy: { action: 'expire' } });
    expect(await reportedUntil(body.id, 'payment.expired')).toEqual([
      'payment.authorized',
      'payment.hold_expiring',
      'payment.hold_expiring',
      'payment.hold_expiring',
      'payment.expired',
    ]);
    await engine.sandbox.clearFaults();
    const warnings = receiver.received
      .filter(({ type, data }) => type === 'payment.hold_expiring' && data['id'] === body.id)
      .map(({ data }) => data['warning']);
    expect(warnings).toEqual(['honour_period_ending', 'honour_period_ended', 'capture_window_ending']);
  });

  it('of a doubt, and of the outcome once it is proved', async () => {
    await engine.sandbox.configure({ approval: 'immediate', dayLengthMs: 86_400_000 });
    const { body } = await engine.orders.order();
    await engine.sandbox.fault({ operation: 'authorization.capture', kind: 'drop_reply' });
    await engine.orders.capture(body.id);
    expect(await reportedUntil(body.id, 'payment.captured')).toEqual([
      'payment.authorized',
      'payment.in_doubt',
      'payment.captured',
    ]);
  });

  it('the life of a subscription', async () => {
    await engine.sandbox.configure({ dayLengthMs: 86_400_000 });
    const stage = new SubscriptionStage(engine);
    const { id: planId } = (await stage.plan({ setupFee: '5.00' })).body;
    const { id } = await stage.subscribed(planId, {
      startDate: new Date(Date.now() + 3_600_000).toISOString(),
    });
    await stage.reaches(id, 'active');
    await stage.post<SubscriptionView>(`/v1/subscriptions/${id}/suspend`, { note: 'Away' });
    await stage.changeElsewhere(id, 're-activate');
    await stage.reaches(id, 'active');
    await stage.post(`/v1/subscriptions/${id}/cancel`, { note: 'Enough' });
    await until(
      async () => receiver.typesAbout(id),
      (types) => types.includes('subscription.cancelled') && types.includes('subscription.cycle_billed'),
      'the end and the setup fee to be told',
    );
    const types = receiver.typesAbout(id);
    expect(types.filter((type) => type !== 'subscription.cycle_billed')).toEqual([
      'subscription.awaiting_approval',
      'subscription.activated',
      'subscription.suspended',
      'subscription.reactivated',
      'subscription.cancelled',
    ]);
    expect(types.filter((type) => type === 'subscription.cycle_billed').length).toBe(1);
  });

  it('what becomes of a payout and of each of its items', async () => {
    const service = new PayoutService(engine);
    const { body } = await service.order([item('anna'), item('ben', 'failed'), item('cleo', 'unclaimed')]);
    await service.totalReaches(body.id, 'unclaimed', 1);
    await service.cancel(body.id, 'cleo');
    expect(await reportedUntil(body.id, 'payout.completed')).toEqual([
      'payout.processing',
      'payout.completed',
    ]);
    const items = await until(
      async () =>
        receiver.received
          .filter(({ data }) => data['payoutId'] === body.id)
          .map(({ type, data }) => `${String(data['itemId'])} ${type}`)
          .toSorted(),
      (reported) => reported.includes('cleo payout_item.returned') && reported.length >= 4,
      'the items to be told',
    );
    expect(items).toEqual([
      'anna payout_item.succeeded',
      'ben payout_item.failed',
      'cleo payout_item.returned',
      'cleo payout_item.unclaimed',
    ]);
  });

  it('nothing unsigned, nothing twice and nothing out of order in all of that', () => {
    const ids = receiver.received.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const latest = new Map<unknown, number>();
    for (const received of receiver.received) {
      expect(isSignedBy(secret, received)).toBe(true);
      const subject = received.data['itemId'] ?? received.data['id'];
      expect(received.sequence).toBeGreaterThan(latest.get(subject) ?? 0);
      latest.set(subject, received.sequence);
    }
  });
});

async function providerPaymentOf(id: string): Promise<string> {
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return state.providerPaymentId ?? '';
}
