import { randomUUID } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { providerIdOf } from './payment-rows.js';
import { SubscriptionStage } from './subscription-stage.js';

/** What a gateway answers in the place of the provider, which has carried the call out. */
const gatewayAnswers = [
  { status: 400, body: 'html' },
  { status: 400, body: 'gateway_json' },
  { status: 401, body: 'gateway_json' },
  { status: 404, body: 'gateway_json' },
  { status: 429, body: 'gateway_json' },
  { status: 401, body: 'empty' },
  { status: 403, body: 'html' },
  { status: 404, body: 'html' },
  { status: 422, body: 'truncated' },
  { status: 429, body: 'html' },
  { status: 429, body: 'empty' },
] as const;

const engine = forAllTests(startEngine);
afterAll(async () => {
  expect(await engine.sandbox.booksAreSound()).toBe(true);
});

const captured = { amount: { value: '40.00', currency: 'USD' } };
const isNotFound = { status: 404, body: 'html' };

async function gatewayAnswersTo(operation: string, answer: object = isNotFound): Promise<void> {
  await engine.sandbox.fault({ operation, kind: 'garbage', times: 1, ...answer });
}

async function authorized(): Promise<string> {
  const { id } = (await engine.orders.order()).body;
  await engine.orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, id)));
  await engine.orders.reaches(id, 'authorized');
  return id;
}

describe('a 4xx that the provider has not written', () => {
  it.each(gatewayAnswers)('$status $body to a capture: it is made once, and told as made', async (answer) => {
    const id = await authorized();
    await gatewayAnswersTo('authorization.capture', answer);
    const { status, body } = await engine.orders.capture(id, captured);
    expect([status, body.capture.state]).toEqual([201, 'completed']);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000']);
  });

  it('to an order that is approved later: it is found by its reference, and there is one', async () => {
    await gatewayAnswersTo('payment.create');
    const { status, body } = await engine.orders.order();
    expect([status, body.state]).toEqual([201, 'awaiting_approval']);
  });

  it('to the execution of a sale: the payer is sent to the shop with what the books say', async () => {
    const { id } = (await engine.orders.order({ intent: 'sale' })).body;
    const redirect = await engine.sandbox.approve(await providerIdOf(engine, id));
    await gatewayAnswersTo('payment.execute');
    const { location } = await engine.orders.comeBack(redirect);
    expect(location).toContain('state=completed');
    expect(await engine.sandbox.booksOf(id)).toEqual(['sale 10000']);
  });

  it('to a void and to a refund: neither is shown as failed, and no money goes back twice', async () => {
    const voided = await authorized();
    await gatewayAnswersTo('authorization.void');
    expect((await engine.orders.void(voided)).body).toMatchObject({ state: 'voided' });
    const id = await authorized();
    await engine.orders.capture(id, captured);
    await gatewayAnswersTo('capture.refund');
    const refund = await engine.orders.refund(id, { amount: { value: '10.00', currency: 'USD' } });
    expect([refund.status, refund.body.state]).toEqual([201, 'completed']);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 4000', 'refund 1000']);
  });

  it('to a payout: its reference stays taken, and each receiver is paid once', async () => {
    const payouts = new PayoutService(engine);
    const reference = randomUUID();
    await gatewayAnswersTo('payout.create');
    const { body } = await payouts.order([item('anna')], { reference });
    expect((await payouts.order([item('anna')], { reference })).status).toBe(409);
    await payouts.reaches(body.id, 'completed');
    expect(await payouts.booksOf(body.id)).toEqual(['payout anna 750']);
  });

  it('to the execution of an agreement: the subscription is active', async () => {
    const stage = new SubscriptionStage(engine);
    const { id: planId } = (await stage.plan()).body;
    await gatewayAnswersTo('agreement.execute');
    expect(await stage.subscribed(planId)).toMatchObject({ state: 'active' });
  });
});
