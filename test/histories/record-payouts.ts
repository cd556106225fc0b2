import { randomUUID } from 'node:crypto';
import { afterEach, beforeAll, it } from 'vitest';
import { findPayoutItem } from '#database/subjects';
import { payoutSignals, payoutWorkflowType } from '#workflows/contract/payout.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type StartedPayout, startPayoutRun } from '../payouts/payout-run.js';
import { startRunFixture } from '../workflows/payment-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Of each state that a payout's run can wait in, and each end, one real history in test/histories/payout/. */
let taskQueue: string;
const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
beforeAll(async () => {
  const { workflowId } = await fixture.start();
  ({ taskQueue } = await fixture.temporal.workflow.getHandle(workflowId).describe());
});
afterEach(async () => {
  await fixture.sandbox.clearFaults();
  await fixture.sandbox.configure({});
});

const store = (name: string, { workflowId }: StartedPayout) =>
  storeHistory(fixture.temporal, `payout/${name}`, workflowId);

async function paidTo(...tags: string[]): Promise<StartedPayout> {
  const receivers = tags.map((tag, n) => `r${n}+${tag}@example.com`);
  return await startPayoutRun(fixture, taskQueue, receivers, { codecKeys: historyKeys });
}

async function settling(...tags: string[]): Promise<StartedPayout> {
  const run = await paidTo(...tags);
  await until(() => run.snapshot(), ({ state }) => state.totals.unclaimed !== undefined, 'an unclaimed item');
  return run;
}

async function cancelFirst(run: StartedPayout): Promise<void> {
  const item = await findPayoutItem(fixture.db, run.payoutId, 'item-0');
  await run.send({
    type: 'itemCancelRequested',
    commandId: `cmd_${randomUUID()}`,
    itemId: 'item-0',
    providerItemId: item?.provider_item_id ?? '',
  });
}

it('records payouts that wait', async () => {
  await store('settling', await settling('unclaimed', 'success'));

  await fixture.sandbox.configure({ payoutPendingMs: 3_600_000 });
  const processing = await paidTo('success');
  await until(() => processing.snapshot(), ({ state }) => state.polls > 0, 'a poll');
  await store('processing', processing);
});

it('records payouts whose call is in doubt, deferred, or under review', async () => {
  const cancelling = await settling('unclaimed');
  await fixture.sandbox.fault({ operation: 'payout-item.cancel', kind: 'late', delayMs: 30_000, executeAfterMs: 60_000 });
  await cancelFirst(cancelling);
  await until(() => cancelling.snapshot(), ({ state }) => state.openStep?.phase === 'doubt', 'doubt', 60_000);
  await store('cancelling-in-doubt', cancelling);

  await fixture.sandbox.fault({ operation: 'payout.create', kind: 'status', status: 503, times: null });
  const creating = await paidTo('success');
  await until(() => creating.snapshot(), ({ state }) => state.openStep?.phase === 'doubt', 'doubt', 60_000);
  await store('creating-in-doubt', creating);
  const reviewed = await startPayoutRun(fixture, taskQueue, ['r@example.com'], {
    codecKeys: historyKeys,
    patience: { reviewAfterMs: 1 },
  });
  await reviewed.reaches('needs_review');
  await store('needs-review', reviewed);
  await fixture.sandbox.clearFaults();

  const busy = { kind: 'status', status: 429, retryAfter: 60, times: null };
  const putOff = await settling('unclaimed');
  await fixture.sandbox.fault({ operation: 'payout-item.cancel', ...busy });
  await cancelFirst(putOff);
  await until(() => putOff.snapshot(), ({ state }) => state.openStep?.phase === 'retry', 'the put-off call');
  await store('cancelling-put-off', putOff);
  await fixture.sandbox.fault({ operation: 'payout.create', ...busy });
  const deferred = await paidTo('success');
  await until(() => deferred.snapshot(), ({ state }) => state.openStep?.phase === 'retry', 'the put-off call');
  await store('creating-put-off', deferred);
});

it('records payouts that have ended, and one that has continued as new', async () => {
  const completed = await settling('unclaimed', 'success');
  await cancelFirst(completed);
  await completed.reaches('completed');
  await store('completed', completed);

  await fixture.temporal.workflow.getHandle(completed.workflowId).result();
  const [ended] = await fixture.db
    .selectFrom('payouts')
    .select('state')
    .where('id', '=', completed.payoutId)
    .execute();
  const order = ended?.state.order;
  if (!order) throw new Error('the payout has no row');
  const identity = { environment: 'sandbox', application: 'shop', payoutId: completed.payoutId };
  // So long that the history waits for the read to come.
  const patience = { ...order.patience, outcomeHorizonMs: 3_600_000 };
  await fixture.db
    .updateTable('payouts')
    .set({ state: JSON.stringify({ ...ended.state, order: { ...order, patience } }) })
    .where('id', '=', completed.payoutId)
    .execute();
  await fixture.temporal.workflow.signalWithStart(payoutWorkflowType, {
    workflowId: completed.workflowId,
    taskQueue,
    args: [{ identity, order, hasEnded: true, messagesPerRun: 10_000 }],
    signal: payoutSignals.providerNotified,
    signalArgs: [
      { id: randomUUID(), event: { type: 'providerNotified', eventType: 'TEST', isOfEndedItem: true } },
    ],
  });
  await until(() => completed.snapshot(), ({ nextDeadline }) => nextDeadline !== undefined, 'the read after the end');
  await store('after-end', completed);

  await fixture.sandbox.fault({ operation: 'payout.create', kind: 'poison', name: 'TRANSACTION_REFUSED' });
  const declined = await paidTo('success');
  await declined.reaches('declined');
  await store('declined', declined);

  await fixture.sandbox.configure({ payoutOutcome: 'denied' });
  const denied = await paidTo('success');
  await denied.reaches('denied');
  await store('denied', denied);

  await fixture.sandbox.configure({ payoutPendingMs: 3_600_000 });
  const cancelled = await paidTo('success');
  const { state } = await cancelled.reaches('processing');
  await fetch(`${fixture.sandbox.url}/admin/payouts/${state.providerBatchId}/cancel`, { method: 'POST' });
  await cancelled.reaches('cancelled');
  await store('cancelled', cancelled);

  await fixture.sandbox.configure({});
  const continued = await startPayoutRun(fixture, taskQueue, ['r+unclaimed@example.com'], {
    codecKeys: historyKeys,
    messagesPerRun: 1,
  });
  await until(() => continued.snapshot(), ({ state: seen }) => seen.totals.unclaimed !== undefined, 'an unclaimed item');
  await continued.send({ type: 'providerNotified', eventType: 'TEST' });
  await until(() => continued.snapshot(), ({ state: seen }) => seen.readAt !== undefined, 'the message to be taken');
  await store('continued-as-new', continued);
});
