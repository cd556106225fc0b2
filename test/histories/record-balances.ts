import { beforeAll, expect, it } from 'vitest';
import { planSnapshotQuery } from '#workflows/contract/plan.js';
import { subscriptionSnapshotQuery } from '#workflows/contract/subscription.js';
import { SubscriptionStage, type SubscriptionView } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** As record-subscriptions.ts, for what a subscription owes. */
let engine: Engine;
let stage: SubscriptionStage;
beforeAll(async () => {
  engine = await startEngine({ codecKeys: historyKeys });
  stage = new SubscriptionStage(engine);
  return () => engine.close();
});

const handleOf = (id: string) => engine.temporal.workflow.getHandle(`subscription/sandbox/shop/${id}`);

async function store(name: string, id: string): Promise<void> {
  // Answered once the workflow task that wrote the rows has completed: only then is it in the history.
  await handleOf(id).query(subscriptionSnapshotQuery);
  await storeHistory(engine.temporal, `subscription/${name}`, `subscription/sandbox/shop/${id}`);
}

async function stepIs(phase: 'doubt' | 'retry', id: string): Promise<void> {
  await until(
    () => handleOf(id).query(subscriptionSnapshotQuery),
    ({ state: { openStep } }) => openStep?.phase === phase && (phase === 'retry' || openStep.looks > 0),
    phase,
  );
}

/** Its setup fee was declined. */
async function owing(): Promise<SubscriptionView> {
  const terms = { setupFee: '5.00', regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } };
  const { id: planId } = (await stage.plan(terms)).body;
  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'decline' });
  return await stage.subscribed(planId, { startDate: new Date(Date.now() + 600_000).toISOString() });
}

it('records billings of a balance', async () => {
  const { sandbox } = engine;
  const [billed, lost, late] = [await owing(), await owing(), await owing()];
  const bill = (id: string, value: string) =>
    stage.post(`/v1/subscriptions/${id}/bill-balance`, { amount: { value, currency: 'USD' } });
  expect(await bill(billed.id, '2.00')).toMatchObject({ status: 200 });
  await stage.until(billed.id, ({ outstanding }) => outstanding.value === '3.00', 'to owe less');
  void bill(billed.id, '3.00');
  await stage.reaches(billed.id, 'billing_balance');
  // The second waits until reads must show the first.
  await stepIs('retry', billed.id);
  await store('billing-balance-after-another', billed.id);

  await sandbox.fault({ operation: 'agreement.bill-balance', kind: 'drop_reply' });
  await sandbox.fault({ operation: 'agreement.transactions', kind: 'status', status: 503, nth: 2, times: null });
  void bill(lost.id, '5.00');
  await stepIs('doubt', lost.id);
  await store('billing-balance-in-doubt', lost.id);
  await sandbox.clearFaults();

  await sandbox.fault({ operation: 'agreement.bill-balance', kind: 'status', status: 429, retryAfter: 60 });
  void bill(late.id, '5.00');
  await stepIs('retry', late.id);
  await store('billing-balance-put-off', late.id);
});

it('records deactivations of plans', async () => {
  const { sandbox } = engine;
  const plan = async () =>
    (await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } })).body.id;
  const planHandleOf = (id: string) => engine.temporal.workflow.getHandle(`plan/sandbox/shop/${id}`);
  const storePlan = async (name: string, id: string): Promise<void> => {
    await planHandleOf(id).query(planSnapshotQuery);
    await storeHistory(engine.temporal, `plan/${name}`, `plan/sandbox/shop/${id}`);
  };
  const planIs = async (phase: 'doubt' | 'retry', id: string): Promise<void> => {
    await until(
      () => planHandleOf(id).query(planSnapshotQuery),
      ({ state: { openStep } }) => openStep?.phase === phase && (phase === 'retry' || openStep.looks > 0),
      phase,
    );
  };
  const [done, lost, late] = [await plan(), await plan(), await plan()];
  expect(await stage.post(`/v1/plans/${done}/deactivate`, {})).toMatchObject({ status: 200 });
  await storePlan('deactivated', done);
  await sandbox.fault({ operation: 'plan.update', kind: 'drop_reply', times: null });
  await sandbox.fault({ operation: 'plan.get', kind: 'status', status: 503, times: null });
  void stage.post(`/v1/plans/${lost}/deactivate`, {});
  await planIs('doubt', lost);
  await storePlan('deactivating-in-doubt', lost);
  await sandbox.clearFaults();
  await sandbox.fault({ operation: 'plan.update', kind: 'status', status: 429, retryAfter: 60, times: null });
  void stage.post(`/v1/plans/${late}/deactivate`, {});
  await planIs('retry', late);
  await storePlan('deactivating-put-off', late);
});

it('records settings of a balance', async () => {
  const { sandbox } = engine;
  const [set, lost, late] = [await owing(), await owing(), await owing()];
  const lower = (id: string, value: string) =>
    stage.post(`/v1/subscriptions/${id}/set-balance`, { balance: { value, currency: 'USD' } });
  expect(await lower(set.id, '2.00')).toMatchObject({ status: 200 });
  await stage.until(set.id, ({ outstanding }) => outstanding.value === '2.00', 'to owe less');
  await store('balance-set', set.id);
  await sandbox.fault({ operation: 'agreement.set-balance', kind: 'drop_reply' });
  await sandbox.fault({ operation: 'agreement.get', kind: 'status', status: 503, nth: 2, times: null });
  void lower(lost.id, '1.00');
  await stepIs('doubt', lost.id);
  await store('setting-balance-in-doubt', lost.id);
  await sandbox.clearFaults();
  await sandbox.fault({ operation: 'agreement.set-balance', kind: 'status', status: 429, retryAfter: 60 });
  void lower(late.id, '1.00');
  await stepIs('retry', late.id);
  await store('setting-balance-put-off', late.id);
});
