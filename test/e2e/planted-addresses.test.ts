import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Engine, startEngine } from '../helpers/engine.js';
import { startForbiddenListener } from '../helpers/forbidden-listener.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { approvalOf, approvedPayment, deliver } from './inbox.js';
import { PlantingProxy } from './planting-proxy.js';
import { SubscriptionStage } from './subscription-stage.js';

/** Every answer of this provider's names addresses inside. */
let engine: Engine;
let proxy: PlantingProxy;
const inside = forAllTests(startForbiddenListener);
beforeAll(async () => {
  proxy = new PlantingProxy(inside.origin);
  engine = await startEngine({
    webhookAuthentication: 'addressSecret',
    reconciles: 'often',
    through: async (providerUrl) => await proxy.start(providerUrl),
  });
});
afterAll(async () => {
  await engine.close();
  proxy.stop();
});

it('a connection to the listener would be seen', async () => {
  const probe = await startForbiddenListener();
  await fetch(probe.origin).catch(() => undefined);
  expect(probe.connections()).toBe(1);
  await probe.close();
});

describe('case 24: an internal address in an answer of the provider', () => {
  it('is not followed by any step of a payment, including its refund', async () => {
    const { body } = await engine.orders.order({ returnUrl: `${inside.origin}/thanks` });
    const { state } = await engine.db
      .selectFrom('payments')
      .select('state')
      .where('id', '=', body.id)
      .executeTakeFirstOrThrow();
    // The payer's browser goes to the shop's address, and the engine does not.
    const back = await engine.orders.comeBack(await engine.sandbox.approve(state.providerPaymentId ?? ''));
    expect(back.location).toContain(inside.origin);
    await engine.orders.reaches(body.id, 'authorized');
    await engine.orders.capture(body.id);
    await engine.orders.refund(body.id, { amount: { value: '10.00', currency: 'USD' } });
    await until(
      () => engine.sandbox.booksOf(body.id),
      (books) => books.length === 3,
      'the refund to be made',
    );
    expect(await engine.sandbox.booksOf(body.id)).toEqual(['hold 10000', 'capture 10000', 'refund 1000']);
    const rels = proxy.planted.map((link) => link.split(' ')[0]);
    expect(rels).toEqual(expect.arrayContaining(['self', 'execute', 'capture', 'parent_payment', 'refund']));
    expect(inside.connections()).toBe(0);
  });

  it('is not followed by a void, a subscription, a payout, or the search for events', async () => {
    const held = await approvedPayment(engine);
    await deliver(engine, approvalOf(held.providerPaymentId));
    await engine.orders.reaches(held.id, 'authorized');
    await engine.orders.void(held.id);
    const subscriptions = new SubscriptionStage(engine);
    const plan = await subscriptions.plan();
    const { body: subscription } = await subscriptions.order(plan.body.id);
    await engine.orders.comeBack(await subscriptions.approve(subscription));
    await subscriptions.reaches(subscription.id, 'active');
    const payouts = new PayoutService(engine);
    const { body: payout } = await payouts.order([item('one'), item('two')]);
    await payouts.reaches(payout.id, 'completed');
    await until(
      () => engine.orders.read<{ eventsUntil: string }>('/v1/reconciliation'),
      ({ eventsUntil }) => Date.parse(eventsUntil) > Date.now() - 60_000,
      'past events to be searched',
    );
    const paths = proxy.planted.join('\n');
    for (const part of ['/billing-agreements/', '/payouts', 'webhooks-events']) expect(paths).toContain(part);
    expect(inside.connections()).toBe(0);
  });

  it('is not followed by any call that is answered with a redirect', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    await deliver(engine, approvalOf(providerPaymentId));
    await engine.orders.reaches(id, 'authorized');
    // Each of the five kinds, to whatever the engine asks next: steps, looks and searches.
    proxy.redirectNext(10);
    const capture = engine.orders.capture(id);
    await until(
      () => Promise.resolve(proxy.isDoneRedirecting),
      (isDone) => isDone,
      'ten calls to be redirected',
    );
    await capture;
    expect(inside.connections()).toBe(0);
    expect(await engine.sandbox.booksAreSound()).toBe(true);
  });
});
