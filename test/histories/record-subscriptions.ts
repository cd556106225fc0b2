import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { messagesPerRun } from '#runs';
import { planNotifiedSignal } from '#workflows/contract/plan.js';
import { decideReviewUpdate } from '#workflows/contract';
import { subscriptionSnapshotQuery } from '#workflows/contract/subscription.js';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** As record.ts, for plans and subscriptions: through the API, whose addresses the provider sends payers back to. */
let engine: Engine;
let stage: SubscriptionStage;
beforeAll(async () => {
  engine = await startEngine({ dayLengthMs: 66, codecKeys: historyKeys });
  stage = new SubscriptionStage(engine);
  return () => engine.close();
});


async function store(kind: 'plan' | 'subscription', name: string, id: string): Promise<void> {
  const handle = engine.temporal.workflow.getHandle(`${kind}/sandbox/shop/${id}`);
  // Answered once the workflow task that wrote the rows has completed: only then is it in the history.
  await handle.query(subscriptionSnapshotQuery);
  await storeHistory(engine.temporal, `${kind}/${name}`, `${kind}/sandbox/shop/${id}`);
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

it('records subscriptions that have ended', async () => {
  const silent = await stage.order(await yearly(), { approvalTimeoutSeconds: 1 });
  await stage.reaches(silent.body.id, 'lapsed');
  await store('subscription', 'lapsed', silent.body.id);

  const { id: planId } = (await stage.plan({ regular: { frequency: 'MONTH', cycles: 3, amount: '1.00' } })).body;
  await engine.sandbox.fault({ operation: 'agreement.cycle', kind: 'decline', nth: 2 });
  const { id } = await stage.subscribed(planId);
  await stage.reaches(id, 'expired');
  await store('subscription', 'expired', id);
});

it('records steps of unknown outcome', async () => {
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

it('records plans that wait, and one that is deleted', async () => {
  const { sandbox } = engine;
  const planReaches = async (id: string, state: string): Promise<void> => {
    const seen = () => engine.orders.read<{ state: string }>(`/v1/plans/${id}`);
    await until(seen, (plan) => plan.state === state, `plan to be ${state}`);
  };
  const inactive = await yearly();
  await stage.changePlanElsewhere(inactive, 'INACTIVE');
  await planReaches(inactive, 'inactive');
  await store('plan', 'inactive', inactive);
  await stage.changePlanElsewhere(inactive, 'DELETED');
  await planReaches(inactive, 'deleted');
  await store('plan', 'deleted', inactive);

  await sandbox.fault({ operation: 'plan.create', kind: 'drop_reply' });
  await sandbox.fault({ operation: 'plan.list', kind: 'status', status: 503, times: null });
  await store('plan', 'creating-in-doubt', await planThat('doubt'));
  await sandbox.fault({ operation: 'plan.update', kind: 'drop_reply', times: null });
  await sandbox.fault({ operation: 'plan.get', kind: 'status', status: 503, times: null });
  await store('plan', 'activating-in-doubt', await planThat('doubt'));
  await sandbox.clearFaults();
  await sandbox.fault({ operation: 'plan.create', kind: 'status', status: 429, retryAfter: 60 });
  await store('plan', 'creating-put-off', await planThat('retry'));
  await sandbox.fault({ operation: 'plan.update', kind: 'status', status: 429, retryAfter: 60 });
  await store('plan', 'activating-put-off', await planThat('retry'));
});

/** Orders a plan, and waits until its step is in this phase. */
async function planThat(phase: 'doubt' | 'retry'): Promise<string> {
  const name = `Doubted ${randomUUID()}`;
  void stage.plan({ name });
  const ordered = await until(
    () => engine.db.selectFrom('plans').select(['id', 'state']).where('name', '=', name).executeTakeFirst(),
    (row) => row?.state.openStep?.phase === phase && (phase === 'retry' || row.state.openStep.looks > 0),
    phase,
  );
  return ordered?.id ?? '';
}

it('records changes of unknown outcome, and calls that are deferred', async () => {
  const openStepOf = (phase: 'doubt' | 'retry', { id }: { readonly id: string }) =>
    until(
      () => engine.db.selectFrom('subscriptions').select('state').where('id', '=', id).executeTakeFirst(),
      (row) => row?.state.openStep?.phase === phase && (phase === 'retry' || row.state.openStep.looks > 0),
      phase,
    );
  const planId = await yearly();
  const [reactivating, cancelling, suspending] = await Promise.all([1, 2, 3].map(() => subscribed(planId)));
  if (!reactivating || !cancelling || !suspending) throw new Error('not subscribed');
  await stage.post(`/v1/subscriptions/${reactivating.id}/suspend`, {});
  const { sandbox } = engine;
  await sandbox.fault({ operation: 'agreement.re-activate', kind: 'drop_reply' });
  await sandbox.fault({ operation: 'agreement.cancel', kind: 'drop_reply' });
  await sandbox.fault({ operation: 'agreement.get', kind: 'status', status: 503, times: null });
  void stage.post(`/v1/subscriptions/${reactivating.id}/reactivate`, {});
  await openStepOf('doubt', reactivating);
  await store('subscription', 'reactivating-in-doubt', reactivating.id);
  void stage.post(`/v1/subscriptions/${cancelling.id}/cancel`, {});
  await openStepOf('doubt', cancelling);
  await store('subscription', 'cancelling-in-doubt', cancelling.id);
  await sandbox.clearFaults();

  await sandbox.fault({ operation: 'agreement.suspend', kind: 'status', status: 429, retryAfter: 60 });
  void stage.post(`/v1/subscriptions/${suspending.id}/suspend`, {});
  await openStepOf('retry', suspending);
  await store('subscription', 'suspending-put-off', suspending.id);
  await sandbox.fault({ operation: 'agreement.execute', kind: 'status', status: 429, retryAfter: 60 });
  const { body: executing } = await stage.order(planId, { startDate: inAWhile() });
  void fetch(await stage.approve(executing), { redirect: 'manual' });
  await openStepOf('retry', executing);
  await store('subscription', 'executing-put-off', executing.id);
  await sandbox.fault({ operation: 'agreement.create', kind: 'status', status: 400 });
  const declined = await stage.order(planId, { startDate: inAWhile() });
  await store('subscription', 'declined', declined.body.id);
  await sandbox.fault({ operation: 'agreement.create', kind: 'status', status: 429, retryAfter: 60 });
  const before = new Date();
  void stage.order(planId, { startDate: inAWhile() });
  const creating = await until(
    () => engine.db.selectFrom('subscriptions').select('id').where('created_at', '>', before).executeTakeFirst(),
    (row) => row !== undefined,
    'the order',
  );
  await openStepOf('retry', { id: creating?.id ?? '' });
  await store('subscription', 'creating-put-off', creating?.id ?? '');
});

it('records a reactivation and a cancellation that are deferred', async () => {
  const planId = await yearly();
  const [reactivating, cancelling] = [await subscribed(planId), await subscribed(planId)];
  await stage.post(`/v1/subscriptions/${reactivating.id}/suspend`, {});
  await engine.sandbox.fault({ operation: 'agreement.re-activate', kind: 'status', status: 429, retryAfter: 60 });
  await engine.sandbox.fault({ operation: 'agreement.cancel', kind: 'status', status: 429, retryAfter: 60 });
  for (const [{ id }, action, name] of [
    [reactivating, 'reactivate', 'reactivating-put-off'],
    [cancelling, 'cancel', 'cancelling-put-off'],
  ] as const) {
    void stage.post(`/v1/subscriptions/${id}/${action}`, {});
    const handle = engine.temporal.workflow.getHandle(`subscription/sandbox/shop/${id}`);
    const seen = () => handle.query(subscriptionSnapshotQuery);
    await until(seen, ({ state }) => state.openStep?.phase === 'retry', 'the put-off call');
    await store('subscription', name, id);
  }
});

it('records an agreement whose creation is of unknown outcome', async () => {
  await engine.close();
  // It is given up at the first look.
  engine = await startEngine({ codecKeys: historyKeys, patience: { firstLookMs: 60_000 } });
  stage = new SubscriptionStage(engine);
  const planId = await yearly();
  await engine.sandbox.fault({ operation: 'agreement.create', kind: 'drop_reply' });
  void stage.order(planId, { startDate: inAWhile() });
  const doubted = await until(
    () => engine.db.selectFrom('subscriptions').select(['id', 'state']).executeTakeFirst(),
    (row) => row?.state.openStep?.phase === 'doubt',
    'doubt',
  );
  await store('subscription', 'creating-in-doubt', doubted?.id ?? '');
});

it('records a run under review, and one that an operator has decided', async () => {
  await engine.close();
  engine = await startEngine({ codecKeys: historyKeys, patience: { reviewAfterMs: 1 } });
  stage = new SubscriptionStage(engine);
  const { id } = await subscribed(await yearly());
  await engine.sandbox.fault({ operation: 'agreement.suspend', kind: 'status', status: 500 });
  await engine.sandbox.fault({ operation: 'agreement.get', kind: 'status', status: 503, times: null });
  void stage.post(`/v1/subscriptions/${id}/suspend`, {});
  await stage.reaches(id, 'needs_review');
  await store('subscription', 'needs-review', id);
  const handle = engine.temporal.workflow.getHandle(`subscription/sandbox/shop/${id}`);
  const decision = { commandId: 'cmd_1', decision: 'happened', reason: 'Seen.', isUnverified: true } as const;
  const event = { type: 'reviewDecided', ...decision } as const;
  await handle.executeUpdate(decideReviewUpdate, { args: [{ id: 'cmd_1', event }], updateId: 'cmd_1' });
  await stage.reaches(id, 'suspended');
  await store('subscription', 'suspended-on-word', id);
});

it('records runs that have continued as new', async () => {
  const plan = await yearly();
  const handle = engine.temporal.workflow.getHandle(`plan/sandbox/shop/${plan}`);
  const { runId } = await handle.describe();
  const event = { type: 'providerNotified', eventType: 'TEST' } as const;
  for (let reported = 0; reported < messagesPerRun; reported += 1) {
    await handle.signal(planNotifiedSignal, { id: `h${reported}`, event });
  }
  await until(() => handle.describe(), (run) => run.runId !== runId, 'the run to continue as new');
  await store('plan', 'continued-as-new', plan);

  const { id } = await subscribed(await yearly());
  await stage.continueAsNewByHints(id, messagesPerRun);
  await store('subscription', 'continued-as-new', id);
});
