import { afterEach, expect, it } from 'vitest';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { providerIdOf } from './payment-rows.js';
import { SubscriptionStage } from './subscription-stage.js';

const maxAttempts = 2;
const engine = forAllTests(() =>
  startEngine({ patience: { maxAttempts, firstRetryMs: 50, firstPollMs: 100 } }),
);
afterEach(() => engine.sandbox.clearFaults());

/** The provider does nothing more than to refuse our rate, for longer than a step is repeated. */
async function refuseRate(operation: string): Promise<void> {
  const { clientId } = engine.sandbox;
  await engine.sandbox.fault({ clientId, kind: 'status', operation, status: 429, times: null });
}

async function subscribeWhileRefused() {
  const stage = new SubscriptionStage(engine);
  const { body: plan } = await stage.plan();
  await refuseRate('agreement.execute');
  const startDate = new Date(Date.now() + 10 * 86_400_000).toISOString();
  const { body: ordered } = await stage.order(plan.id, { startDate });
  return { stage, ordered };
}

async function isGivenUp(): Promise<void> {
  await until(
    () => engine.sandbox.faultsMet(),
    ([met = 0]) => met >= 2 * maxAttempts,
    'more refusals than a step is repeated for',
  );
}

it('a subscription that no poll could execute for a while is active once its payer has approved', async () => {
  const { stage, ordered } = await subscribeWhileRefused();
  await isGivenUp();
  await engine.sandbox.clearFaults();
  await fetch(await stage.approve(ordered), { redirect: 'manual' });
  const begun = await stage.until(
    ordered.id,
    ({ state }) => state !== 'awaiting_approval' && state !== 'executing',
    'to go on',
  );
  expect(begun.state).toBe('active');
});

it('a subscription whose payer cancels while executions are refused is cancelled, and never executed', async () => {
  const { stage, ordered } = await subscribeWhileRefused();
  await stage.until(ordered.id, ({ state }) => state === 'executing', 'to be executed');
  await stage.approve(ordered);
  const token = new URL(ordered.approvalUrl ?? '').searchParams.get('token') ?? '';
  const address = `${engine.apiUrl}/v1/subscriptions/${ordered.id}/cancelled?token=${token}`;
  await fetch(address, { redirect: 'manual' });
  await isGivenUp();
  await engine.sandbox.clearFaults();
  await stage.reaches(ordered.id, 'cancelled');
  const calls = await engine.sandbox.calls('text=agreement.execute&limit=1000');
  expect(
    calls.filter(({ operation, status }) => operation === 'agreement.execute' && status === 200),
  ).toEqual([]);
});

it.each(['authorize', 'sale'])(
  'a payment that was approved while executions were refused is executed: %s',
  async (intent) => {
    const { orders, sandbox } = engine;
    const { body } = await orders.order({ intent });
    await orders.reaches(body.id, 'awaiting_approval');
    await refuseRate('payment.execute');
    const back = orders.comeBack(await sandbox.approve(await providerIdOf(engine, body.id)));
    await isGivenUp();
    await sandbox.clearFaults();
    expect((await back).location).toMatch(/state=(authorized|completed)$/);
    expect(await sandbox.booksOf(body.id)).toEqual([intent === 'sale' ? 'sale 10000' : 'hold 10000']);
  },
);

it.each(['authorize', 'sale'])(
  'a payment whose payer cancels while executions are refused is cancelled, and never executed: %s',
  async (intent) => {
    const { orders, sandbox } = engine;
    const { body } = await orders.order({ intent });
    await orders.reaches(body.id, 'awaiting_approval');
    await refuseRate('payment.execute');
    const approval = await sandbox.approve(await providerIdOf(engine, body.id));
    const back = orders.comeBack(approval);
    await orders.reaches(body.id, intent === 'sale' ? 'executing' : 'authorizing');
    await orders.comeBack(approval.replace('/return?', '/cancel?'));
    await orders.reaches(body.id, 'cancelled');
    await sandbox.clearFaults();
    expect((await back).location).toMatch(/state=cancelled$/);
    expect(await sandbox.booksOf(body.id)).toEqual([]);
  },
);
