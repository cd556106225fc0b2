import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import type { PaymentView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { authorizedPayment, providerIdOf } from './payment-rows.js';
import { SubscriptionStage } from './subscription-stage.js';
import { usd } from '../helpers/usd.js';

/* A gateway gives one caller the provider's answer about the resource of another one, with success. */

const engine = forAllTests(startEngine);
afterEach(() => engine.sandbox.clearFaults());
afterAll(async () => {
  expect(await engine.sandbox.booksAreSound()).toBe(true);
});

const books = async (id: string) => await engine.sandbox.booksOf(id);
const atProvider = async (path: string) =>
  await engine.sandbox.callAsOwner<object>('GET', `/v1/payments/${path}`);

/** The next call is carried out and answered with what else there is. */
async function answersWith(operation: string, body: object): Promise<void> {
  const remove = Object.keys(body);
  await engine.sandbox.fault({ operation, kind: 'reshape', remove, add: body, times: 1 });
}

const paymentOf = async ({ id }: { readonly id: string }) =>
  await atProvider(`payment/${await providerIdOf(engine, id)}`);

/** An authorized payment, and how its provider shows it. */
async function another() {
  const held = await authorizedPayment(engine);
  return { ...held, body: await paymentOf(held) };
}

async function approved(): Promise<{ readonly id: string; readonly redirect: string }> {
  const { id } = (await engine.orders.order()).body;
  return { id, redirect: await engine.sandbox.approve(await providerIdOf(engine, id)) };
}

const captureOf = async (held: PaymentView) =>
  (await engine.orders.capture(held.id, { amount: usd('40.00') })).body.capture.id;

describe('a payment whose provider answers about another one', () => {
  it('is not authorized by a read: its payer has not approved', async () => {
    const { body } = await another();
    const { id } = (await engine.orders.order()).body;
    await answersWith('payment.get', body);
    await engine.orders.post(`/v1/payments/${id}/check`, randomUUID(), {});
    expect(await engine.sandbox.faultsMet()).toEqual([1]);
    expect(await engine.orders.get(id)).toMatchObject({ state: 'awaiting_approval', authorizations: [] });
  });

  it('keeps its own approval when it is created', async () => {
    const first = (await engine.orders.order()).body;
    await answersWith('payment.create', await paymentOf(first));
    const { body } = await engine.orders.order();
    expect(body.state).toBe('awaiting_approval');
    expect(body.approvalUrl).not.toBe(first.approvalUrl);
    expect(await providerIdOf(engine, body.id)).not.toBe(await providerIdOf(engine, first.id));
  });

  it('is executed, and captures its own funds', async () => {
    const other = await another();
    const { id, redirect } = await approved();
    await answersWith('payment.execute', other.body);
    await engine.orders.comeBack(redirect);
    await engine.orders.reaches(id, 'authorized');
    expect((await engine.orders.capture(id, { amount: usd('40.00') })).status).toBe(201);
    expect(await books(id)).toEqual(['hold 10000', 'capture 4000']);
    expect(await books(other.id)).toEqual(['hold 10000']);
  });

  it('shows its own capture, and refunds its own payer', async () => {
    const other = await authorizedPayment(engine);
    const othersCapture = await captureOf(other);
    const held = await authorizedPayment(engine);
    await answersWith('authorization.capture', await atProvider(`capture/${othersCapture}`));
    const { status, body } = await engine.orders.capture(held.id, { amount: usd('40.00') });
    expect(status).toBe(201);
    expect(body.payment).toMatchObject({
      captures: [{ id: body.capture.id, amount: usd('40.00') }],
      amounts: { captured: usd('40.00'), capturable: usd('60.00') },
    });
    expect(body.capture.id).not.toBe(othersCapture);
    const refund = await engine.orders.refund(held.id, {
      amount: usd('40.00'),
      captureId: body.capture.id,
    });
    expect([refund.status, refund.body.state]).toEqual([201, 'completed']);
    expect(await books(held.id)).toEqual(['hold 10000', 'capture 4000', 'refund 4000']);
    expect(await books(other.id)).toEqual(['hold 10000', 'capture 4000']);
  });
});

describe('a capture or refund that is answered as another one', () => {
  it.each(['1.00', '100.00'])('of %s, is shown with what was captured', async (total) => {
    const { id } = await authorizedPayment(engine);
    await answersWith('authorization.capture', { amount: { total, currency: 'USD' } });
    const { status, body } = await engine.orders.capture(id, { amount: usd('40.00') });
    expect([status, body.payment.state]).toEqual([201, 'partially_captured']);
    expect(body.payment.amounts).toMatchObject({ captured: usd('40.00'), capturable: usd('60.00') });
    expect(await books(id)).toEqual(['hold 10000', 'capture 4000']);
  });

  it('of the same payment and amount, is shown beside that capture', async () => {
    const held = await authorizedPayment(engine);
    const first = await captureOf(held);
    await answersWith('authorization.capture', await atProvider(`capture/${first}`));
    const { body } = await engine.orders.capture(held.id, { amount: usd('40.00') });
    expect(body.capture.id).not.toBe(first);
    expect(body.payment.captures.map(({ id }) => id).toSorted()).toEqual([first, body.capture.id].toSorted());
    expect(body.payment.amounts.captured).toEqual(usd('80.00'));
    expect(await books(held.id)).toEqual(['hold 10000', 'capture 4000', 'capture 4000']);
  });

  it('of the same capture and amount, is shown beside that refund', async () => {
    const held = await authorizedPayment(engine);
    await captureOf(held);
    const first = await engine.orders.refund(held.id, { amount: usd('10.00') });
    await answersWith('capture.refund', await atProvider(`refund/${first.body.providerRefundId}`));
    const second = await engine.orders.refund(held.id, { amount: usd('10.00') });
    expect([second.status, second.body.state]).toEqual([201, 'completed']);
    expect(second.body.providerRefundId).not.toBe(first.body.providerRefundId);
    expect(await books(held.id)).toEqual(['hold 10000', 'capture 4000', 'refund 1000', 'refund 1000']);
  });
});

describe('a payout whose provider answers about another one', () => {
  it.each([
    ['whose reference it shows', ['batch_header']],
    ['that is only named', ['payout_batch_id', 'batch_status']],
  ])('%s pays its own receivers', async (_, shown) => {
    const payouts = new PayoutService(engine);
    const other = (await payouts.order([item('bob')])).body;
    await payouts.reaches(other.id, 'completed');
    const { providerBatchId } = await payouts.get(other.id);
    const { batch_header: header } = (await atProvider(`payouts/${providerBatchId}`)) as {
      batch_header: Record<string, unknown>;
    };
    const part = Object.fromEntries(shown.map((name) => [name, header[name]]));
    await answersWith('payout.create', { batch_header: shown.length === 1 ? header : part });
    const { body } = await payouts.order([item('anna')]);
    const ended = await payouts.reaches(body.id, 'completed');
    expect(ended.providerBatchId).not.toBe(providerBatchId);
    expect(ended.contradiction).toBeNull();
    expect(await payouts.booksOf(body.id)).toEqual(['payout anna 750']);
  });
});

describe('a subscription whose provider answers about another one', () => {
  it('is executed, and is cancelled without the other one', async () => {
    const stage = new SubscriptionStage(engine);
    const { id: planId } = (await stage.plan()).body;
    const startDate = new Date(Date.now() + 3_600_000).toISOString();
    const other = await stage.subscribed(planId, { startDate });
    const path = `billing-agreements/${await stage.agreementOf(other.id)}`;
    await answersWith('agreement.execute', await atProvider(path));
    const { id, state } = await stage.subscribed(planId, { startDate });
    expect(state).toBe('active');
    const own = `billing-agreements/${await stage.agreementOf(id)}`;
    expect(own).not.toBe(path);
    expect((await stage.post(`/v1/subscriptions/${id}/cancel`, {})).status).toBe(200);
    expect(await atProvider(own)).toMatchObject({ state: 'Cancelled' });
    expect(await atProvider(path)).toMatchObject({ state: 'Active' });
    expect(await stage.get(other.id)).toMatchObject({ state: 'active' });
  });

  it('is not offered to its payer as the other one', async () => {
    const stage = new SubscriptionStage(engine);
    const { id: planId } = (await stage.plan()).body;
    const other = (await stage.order(planId)).body;
    const href = (await stage.reaches(other.id, 'awaiting_approval')).approvalUrl;
    await engine.sandbox.fault({
      operation: 'agreement.create',
      kind: 'reshape',
      remove: ['links'],
      add: {
        links: [{ href, rel: 'approval_url', method: 'REDIRECT' }],
        'plan.merchant_preferences.return_url': `${engine.apiUrl}/v1/subscriptions/${other.id}/return`,
      },
      times: 1,
    });
    const { body } = await stage.order(planId);
    const shown = await until(
      () => stage.get(body.id),
      ({ state }) => state !== 'creating',
      'the agreement to be created',
    );
    expect(shown.approvalUrl).not.toBe(href);
  });

  it('is of its own plan', async () => {
    const stage = new SubscriptionStage(engine);
    const providerPlanOf = async (id: string) => {
      const { state } = await engine.db
        .selectFrom('plans')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirstOrThrow();
      return state.providerPlanId;
    };
    const other = await providerPlanOf((await stage.plan()).body.id);
    await answersWith('plan.create', await atProvider(`billing-plans/${other}`));
    const { status, body } = await stage.plan();
    expect([status, body.state]).toEqual([201, 'active']);
    expect(await providerPlanOf(body.id)).not.toBe(other);
  });
});
