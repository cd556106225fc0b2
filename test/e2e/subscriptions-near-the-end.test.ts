import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { workflowIdOf } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { refuseEntries } from './refused-entries.js';
import { type SubscriptionView, SubscriptionStage } from './subscription-stage.js';

const dayLengthMs = 500;
const settings = { dayLengthMs };
let stage: SubscriptionStage;
const engine = forAllTests(() => startEngine({ dayLengthMs, reconciles: 'often' }));
beforeAll(async () => {
  await engine.sandbox.configure(settings);
  stage = new SubscriptionStage(engine);
});
afterEach(async () => {
  await engine.sandbox.clearFaults();
  await engine.sandbox.configure(settings);
});
afterAll(async () => {
  expect(await engine.sandbox.booksAreSound()).toBe(true);
});

const yearly = { setupFee: '5.00', regular: { frequency: 'YEAR', cycles: 3, amount: '9.00' } };
const inAnHour = () => ({ startDate: new Date(Date.now() + 3_600_000).toISOString() });

const runOf = (id: string) =>
  engine.temporal.workflow.getHandle(workflowIdOf({ environment: 'sandbox', application: 'shop', id }));

async function runHasClosed(id: string): Promise<void> {
  await until(
    () => runOf(id).describe(),
    ({ status }) => status.name === 'COMPLETED',
    `the run of ${id} to be closed`,
  );
}

/** Nothing of it goes on in the worker when its run is lost then. */
async function readHasFailed(id: string): Promise<void> {
  await until(
    () => engine.db.selectFrom('subscriptions').select('state').where('id', '=', id).executeTakeFirst(),
    (row) => row?.state.readOwed === true,
    `a read of ${id} to fail`,
  );
}

const paymentsBecome = async (id: string, ...statuses: string[]) =>
  await until(
    () => stage.payments(id),
    ({ payments }) => payments.map(({ state }) => state).join() === statuses.join(),
    `the payments of ${id} to be ${statuses.join()}`,
  );

async function detailsOf(id: string): Promise<(string | null)[]> {
  const { data: entries } = await engine.orders.read<{ data: { detail: string | null }[] }>(
    `/v1/subscriptions/${id}/timeline`,
  );
  return entries.map(({ detail }) => detail);
}

/** Active, its fee of 5.00 collected, and no cycle due for long. */
async function paid(): Promise<SubscriptionView & { readonly saleId: string }> {
  const plan = await stage.plan(yearly);
  const subscription = await stage.subscribed(plan.body.id, inAnHour());
  await stage.reaches(subscription.id, 'active');
  const { payments } = await paymentsBecome(subscription.id, 'completed');
  return { ...subscription, saleId: payments[0]?.id ?? '' };
}

/** Its first cycle of 9.00 has been billed, which nothing tells us but the agreement itself. */
async function billedUnseen(): Promise<string> {
  const plan = await stage.plan({ regular: { frequency: 'YEAR', cycles: 3, amount: '9.00' } });
  const { id } = await stage.subscribed(plan.body.id, { startDate: stage.soon() });
  await stage.reaches(id, 'active');
  await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
  await engine.sandbox.fault({ kind: 'status', operation: 'event.list', status: 503, times: null });
  await until(
    () => stage.booked(id),
    (booked) => booked.length === 1,
    'a cycle',
  );
  return id;
}

describe('a payment near the end of a subscription', () => {
  it('is recorded when it was booked right before the cancellation, without an event', async () => {
    const id = await billedUnseen();
    await stage.post(`/v1/subscriptions/${id}/cancel`, { note: 'Enough' });
    expect((await paymentsBecome(id, 'completed')).collected.value).toBe('9.00');
    expect(await stage.get(id)).toMatchObject({ state: 'cancelled', cyclesCompleted: 1 });
    expect(await detailsOf(id)).toContain('Enough');
    await runHasClosed(id);
  });

  it('is recorded when it is pending at the last cycle, and completed after that', async () => {
    const plan = await stage.plan({ regular: { frequency: 'DAY', cycles: 2, amount: '9.00' } });
    await engine.sandbox.configure({
      ...settings,
      saleOutcome: 'pending_then_completed',
      saleSettleMs: stage.awhileMs,
    });
    const { id } = await stage.subscribed(plan.body.id, { startDate: stage.soon() });
    await engine.sandbox.fault({ kind: 'drop_delivery', eventType: 'PAYMENT.SALE.COMPLETED', times: null });
    await stage.reaches(id, 'expired');
    await paymentsBecome(id, 'pending', 'pending');
    expect((await paymentsBecome(id, 'completed', 'completed')).collected.value).toBe('18.00');
    // By one read or by two.
    const reported = (await detailsOf(id)).join(' ');
    expect(reported.match(/A payment of 9\.00 USD was collected\./g)).toHaveLength(2);
    await runHasClosed(id);
  });

  it('is shown with its refund and its chargeback after the run has closed', async () => {
    const [refunded, charged] = [await paid(), await paid()];
    for (const { id } of [refunded, charged]) await stage.post(`/v1/subscriptions/${id}/cancel`, {});
    for (const { id } of [refunded, charged]) await runHasClosed(id);
    await engine.sandbox.refundSaleElsewhere(refunded.saleId, '5.00');
    await engine.sandbox.chargeBackSale(charged.saleId);
    await paymentsBecome(refunded.id, 'refunded');
    expect((await paymentsBecome(charged.id, 'reversed')).collected.value).toBe('5.00');
    expect(await detailsOf(refunded.id)).toContain('A payment of 5.00 USD was refunded.');
    expect(await detailsOf(charged.id)).toContain('A payment of 5.00 USD was charged back.');
    for (const { id } of [refunded, charged]) {
      await runHasClosed(id);
      expect((await stage.get(id)).state).toBe('cancelled');
    }
  });
});

describe('the status of a payment', () => {
  it('is recorded even if the database refused its first transition', async () => {
    const { id, saleId } = await paid();
    const refusals = await refuseEntries(engine.db, '%was refunded%');
    await engine.sandbox.refundSaleElsewhere(saleId, '5.00');
    await until(refusals.count, (count) => count > 0, 'a refusal');
    const { payments } = await stage.payments(id);
    expect(payments.map(({ state }) => state)).toEqual(['completed']);
    await refusals.end();
    await paymentsBecome(id, 'refunded');
    expect(await detailsOf(id)).toContain('A payment of 5.00 USD was refunded.');
  });
});

describe('a run that is lost between the end and its last read', () => {
  it('is replaced by another run at the next comparison with the provider', async () => {
    const id = await billedUnseen();
    await engine.sandbox.fault({ kind: 'status', operation: 'agreement.get', status: 503, times: null });
    await stage.post(`/v1/subscriptions/${id}/cancel`, {});
    await readHasFailed(id);
    await runOf(id).terminate('lost');
    await engine.sandbox.clearFaults();
    expect((await paymentsBecome(id, 'completed')).collected.value).toBe('9.00');
    expect(await stage.get(id)).toMatchObject({ state: 'cancelled', cyclesCompleted: 1 });
    // Whoever has read it: the other one, or the lost one by a read that was still under way.
    await until(
      () => runOf(id).describe(),
      ({ status }) => status.name !== 'RUNNING',
      `the run of ${id} to be over`,
    );
  });
});

describe('a payment whose events come at the wrong moment', () => {
  it('is recorded even if the outcome of a change was unknown when its event came', async () => {
    const { id, saleId } = await paid();
    await engine.sandbox.fault({ kind: 'status', operation: 'agreement.suspend', status: 503, times: 1 });
    const suspending = stage.post(`/v1/subscriptions/${id}/suspend`, {});
    await stage.reaches(id, 'suspending');
    await engine.sandbox.fault({ kind: 'status', operation: 'agreement.suspend', status: 422, times: null });
    await engine.sandbox.refundSaleElsewhere(saleId, '5.00');
    await suspending;
    await paymentsBecome(id, 'refunded');
  });

  it('is recorded even if the run that was signalled is lost', async () => {
    const { id, saleId } = await paid();
    await engine.sandbox.fault({ kind: 'status', operation: 'agreement.get', status: 503, times: null });
    await engine.sandbox.refundSaleElsewhere(saleId, '5.00');
    await until(
      () =>
        engine.db
          .selectFrom('webhook_events')
          .select('status')
          .where('subject_id', '=', id)
          .where('event_type', '=', 'PAYMENT.SALE.REFUNDED')
          .execute(),
      ([event]) => event?.status === 'applied',
      'the event to be shown',
    );
    await readHasFailed(id);
    await runOf(id).terminate('lost');
    await engine.sandbox.clearFaults();
    await paymentsBecome(id, 'refunded');
  });
});

describe('a subscription', () => {
  it('is not called suspended because a lagging read shows an earlier suspension', async () => {
    const { id } = await paid();
    await stage.changeElsewhere(id, 'suspend');
    await stage.reaches(id, 'suspended');
    await stage.changeElsewhere(id, 're-activate');
    await stage.reaches(id, 'active');
    await engine.sandbox.fault({ kind: 'stale_read', operation: 'agreement.get', lagMs: 3_000, times: null });
    await engine.sandbox.fault({ kind: 'status', operation: 'agreement.suspend', status: 503, times: 1 });
    expect((await stage.post(`/v1/subscriptions/${id}/suspend`, {})).status).toBe(200);
    await engine.sandbox.clearFaults();
    const calls = await engine.sandbox.calls('limit=200');
    const done = calls.filter(({ operation, status }) => operation === 'agreement.suspend' && status === 204);
    // The dashboard's own, and ours.
    expect(done.length).toBeGreaterThanOrEqual(2);
    await stage.reaches(id, 'suspended');
  });

  it('lapses when its payer approves after the start, and nothing is billed', async () => {
    const plan = await stage.plan({ regular: { frequency: 'DAY', cycles: 20, amount: '9.00' } });
    const { body } = await stage.order(plan.body.id, { startDate: stage.soon() });
    await until(
      () => Promise.resolve(Date.now()),
      (now) => now > Date.parse((body as unknown as { startDate: string }).startDate),
      'the start to pass',
    );
    await fetch(await stage.approve(body), { redirect: 'manual' });
    const lapsed = await stage.reaches(body.id, 'lapsed');
    expect(lapsed.reason).toBe('The payer had not approved when the first cycle was due.');
    expect(await stage.agreementOf(body.id)).toBe('');
  });

  it('is cancelled by its payer while the engine checks for an approval', async () => {
    const plan = await stage.plan(yearly);
    await engine.sandbox.fault({ kind: 'delay', operation: 'agreement.execute', delayMs: 2_500, times: 1 });
    const { body } = await stage.order(plan.body.id, inAnHour());
    await stage.reaches(body.id, 'executing');
    const token = new URL(body.approvalUrl ?? '').searchParams.get('token') ?? '';
    const address = `${engine.apiUrl}/v1/subscriptions/${body.id}/cancelled?token=${token}`;
    const back = await fetch(address, { redirect: 'manual' });
    expect(back.headers.get('location')).toContain('state=cancelled');
    expect((await stage.get(body.id)).state).toBe('cancelled');
  });
});
