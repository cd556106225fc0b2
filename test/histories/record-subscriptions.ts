import { mkdirSync, writeFileSync } from 'node:fs';
import { temporal } from '@temporalio/proto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { messagesPerRun } from '../../libs/runs/src/run-input.js';
import { subscriptionSnapshotQuery } from '../../libs/workflows/src/contract/subscription.js';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { historyKeys } from './history-key.js';

/** As record.ts, for plans and subscriptions: through the API, whose addresses the provider sends payers back to. */
const folder = new URL('./', import.meta.url);

let engine: Engine;
let stage: SubscriptionStage;
beforeAll(async () => {
  mkdirSync(new URL('plan/', folder), { recursive: true });
  mkdirSync(new URL('subscription/', folder), { recursive: true });
  engine = await startEngine({ dayLengthMs: 66, codecKeys: historyKeys });
  stage = new SubscriptionStage(engine);
});
afterAll(async () => {
  await engine.close();
});

async function store(kind: 'plan' | 'subscription', name: string, id: string): Promise<void> {
  const handle = engine.temporal.workflow.getHandle(`${kind}/sandbox/shop/${id}`);
  // Answered once the workflow task that wrote the rows has completed: only then is it in the history.
  await handle.query(subscriptionSnapshotQuery);
  const history = await handle.fetchHistory();
  const file = new URL(`${kind}/${name}.binpb`, folder);
  writeFileSync(file, temporal.api.history.v1.History.encode(history).finish());
}

const yearly = async (terms: Record<string, unknown> = {}): Promise<string> =>
  (await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' }, ...terms })).body.id;

const inAWhile = (): string => new Date(Date.now() + 600_000).toISOString();

const subscribed = async (planId: string) => await stage.subscribed(planId, { startDate: inAWhile() });

it('records plans', async () => {
  await store('plan', 'active', await yearly());
  await engine.sandbox.fault({ operation: 'plan.create', kind: 'status', status: 400 });
  const declined = await stage.plan();
  expect(declined.body.state).toBe('declined');
  await store('plan', 'declined', declined.body.id);
});

it('records subscriptions that wait', async () => {
  const planId = await yearly();
  await store('subscription', 'awaiting-approval', (await stage.order(planId)).body.id);
  const active = await subscribed(planId);
  await store('subscription', 'active', active.id);
  await stage.post(`/v1/subscriptions/${active.id}/suspend`, {});
  await store('subscription', 'suspended', active.id);
  await stage.post(`/v1/subscriptions/${active.id}/reactivate`, {});
  await stage.post(`/v1/subscriptions/${active.id}/cancel`, {});
  await store('subscription', 'cancelled', active.id);

  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'pending', settlesAs: 'completed', afterMs: 600_000 });
  await store('subscription', 'pending', (await subscribed(await yearly({ setupFee: '1.00' }))).id);
});

it('records subscriptions that have come to their end', async () => {
  const silent = await stage.order(await yearly(), { approvalTimeoutSeconds: 1 });
  await stage.reaches(silent.body.id, 'lapsed');
  await store('subscription', 'lapsed', silent.body.id);

  const { id: planId } = (await stage.plan({ regular: { frequency: 'MONTH', cycles: 3, amount: '1.00' } })).body;
  await engine.sandbox.fault({ operation: 'agreement.cycle', kind: 'decline', nth: 2 });
  const { id } = await stage.subscribed(planId);
  await stage.reaches(id, 'expired');
  await store('subscription', 'expired', id);
});

it('records steps of which nobody knows whether they happened', async () => {
  const doubted = async (id: string): Promise<void> => {
    const handle = engine.temporal.workflow.getHandle(`subscription/sandbox/shop/${id}`);
    await until(
      () => handle.query(subscriptionSnapshotQuery),
      ({ state }) => state.openStep?.phase === 'doubt' && state.openStep.looks > 0,
      'doubt',
    );
  };
  const planId = await yearly();
  const { id } = await subscribed(planId);
  await engine.sandbox.fault({ operation: 'agreement.suspend', kind: 'drop_reply' });
  await engine.sandbox.fault({ operation: 'agreement.get', kind: 'status', status: 503, times: null });
  void stage.post(`/v1/subscriptions/${id}/suspend`, {});
  await doubted(id);
  await store('subscription', 'suspending-in-doubt', id);

  await engine.sandbox.fault({ operation: 'agreement.execute', kind: 'drop_reply' });
  const { body } = await stage.order(planId, { startDate: inAWhile() });
  void fetch(await stage.approve(body), { redirect: 'manual' });
  await doubted(body.id);
  await store('subscription', 'executing-in-doubt', body.id);
  await engine.sandbox.clearFaults();
});

it('records a run that has continued as new', async () => {
  const { id } = await subscribed(await yearly());
  await stage.tellOften(id, messagesPerRun);
  await store('subscription', 'continued-as-new', id);
});
