import { afterEach, it } from 'vitest';
import type { WaitPolicy } from '#workflows/lifecycle';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { startRunFixture } from '../workflows/payment-run.js';
import { type StartedRefund, capturedRun, startRefundRun, startRequestedRefund } from '../workflows/refund-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Of each state that a refund's run can wait in, and each end, one real history in test/histories/refund/. */
const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
afterEach(() => fixture.sandbox.clearFaults());

const store = (name: string, { workflowId }: StartedRefund) =>
  storeHistory(fixture.temporal, `refund/${name}`, workflowId);

async function refunded(looksPerRun?: number): Promise<StartedRefund> {
  const { run, captureId } = await capturedRun(fixture);
  const refundId = await fixture.sandbox.refundElsewhere(captureId, '10.00');
  return await startRefundRun(fixture, run, refundId, looksPerRun === undefined ? {} : { looksPerRun });
}

const onRequest = (fault: Record<string, unknown>) =>
  fixture.sandbox.fault({ operation: 'capture.refund', times: null, ...fault });

async function requested(patience?: Partial<WaitPolicy>): Promise<StartedRefund> {
  const { run, captureId } = await capturedRun(fixture);
  return await startRequestedRefund(fixture, run, captureId, patience);
}

const onRead = (fault: Record<string, unknown>) =>
  fixture.sandbox.fault({ operation: 'refund.get', times: null, ...fault });

it('records a refund that cannot be read yet', async () => {
  await onRead({ kind: 'status', status: 503 });
  const refund = await refunded();
  await until(() => refund.snapshot(), ({ state }) => state.polls > 0, 'a poll');
  await store('observed', refund);
});

it('records a pending refund, and one that has continued as new', async () => {
  await onRead({ kind: 'reshape', add: { state: 'pending' } });
  const refund = await refunded();
  await until(() => refund.snapshot(), ({ state }) => state.status === 'pending' && state.polls > 0, 'a poll');
  await store('pending', refund);

  const continued = await refunded(1);
  await until(() => continued.snapshot(), ({ state }) => state.polls > 0, 'a poll of a later run');
  await store('continued-as-new', continued);
});

it('records refunds that have ended', async () => {
  const completed = await refunded();
  await completed.reaches('completed');
  await store('completed', completed);

  for (const state of ['failed', 'cancelled']) {
    await onRead({ kind: 'reshape', add: { state } });
    const ended = await refunded();
    await ended.reaches(state);
    await store(state, ended);
    await fixture.sandbox.clearFaults();
  }

  const { run } = await capturedRun(fixture);
  const unfounded = await startRefundRun(fixture, run, 'REFUND-THAT-NOBODY-MADE');
  await unfounded.reaches('unfounded');
  await store('unfounded', unfounded);
});

it('records requests whose answer was lost, which were deferred, and which are under review', async () => {
  await onRequest({ kind: 'drop_reply' });
  await fixture.sandbox.fault({ kind: 'status', status: 503, operation: 'payment.get', times: null });
  const doubted = await requested();
  await until(
    () => doubted.snapshot(),
    ({ state }) => (state.openStep?.looks ?? 0) > 0,
    'a lookup without a result',
  );
  await store('requesting-in-doubt', doubted);

  const reviewed = await requested({ reviewAfterMs: 200 });
  await reviewed.reaches('needs_review');
  await store('needs-review', reviewed);
  await fixture.sandbox.clearFaults();

  await onRequest({ kind: 'status', status: 503 });
  const putOff = await requested();
  await until(
    () => putOff.snapshot(),
    ({ state }) => (state.openStep?.attempts ?? 0) > 1,
    'a repeat',
  );
  await store('requesting-put-off', putOff);
  await fixture.sandbox.clearFaults();

  await onRequest({ kind: 'status', status: 429, retryAfter: 60 });
  const toldToWait = await requested();
  await until(() => toldToWait.snapshot(), ({ state }) => state.openStep?.phase === 'retry', 'the put-off call');
  await store('requesting-told-to-wait', toldToWait);
});

it('records requests that were answered', async () => {
  const completed = await requested();
  await completed.reaches('completed');
  await store('requested', completed);

  await onRequest({ kind: 'decline' });
  const declined = await requested();
  await declined.reaches('declined');
  await store('declined', declined);
  await fixture.sandbox.clearFaults();

  await onRequest({ kind: 'pending', settlesAs: 'completed', afterMs: 60_000 });
  const pending = await requested();
  await until(() => pending.snapshot(), ({ state }) => state.polls > 0, 'a poll');
  await store('requested-pending', pending);
});
