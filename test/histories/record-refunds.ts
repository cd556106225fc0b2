import { mkdirSync, writeFileSync } from 'node:fs';
import { temporal } from '@temporalio/proto';
import { afterAll, afterEach, beforeAll, it } from 'vitest';
import { until } from '../helpers/until.js';
import { type RunFixture, startRunFixture } from '../workflows/payment-run.js';
import { type StartedRefund, capturedRun, startRefundRun } from '../workflows/refund-run.js';
import { historyKeys } from './history-key.js';

/** Of each state that a refund's run can wait in, and each end, one real history in test/histories/refund/. */
const folder = new URL('./refund/', import.meta.url);

let fixture: RunFixture;
beforeAll(async () => {
  mkdirSync(folder, { recursive: true });
  fixture = await startRunFixture({ codecKeys: historyKeys });
});
afterEach(() => fixture.sandbox.clearFaults());
afterAll(() => fixture.close());

async function store(name: string, { workflowId }: StartedRefund): Promise<void> {
  const history = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
  writeFileSync(new URL(`${name}.binpb`, folder), temporal.api.history.v1.History.encode(history).finish());
}

async function refunded(looksPerRun?: number): Promise<StartedRefund> {
  const { run, captureId } = await capturedRun(fixture);
  const refundId = await fixture.sandbox.refundElsewhere(captureId, '10.00');
  return await startRefundRun(fixture, run, refundId, looksPerRun);
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

  const { run } = await capturedRun(fixture);
  const unfounded = await startRefundRun(fixture, run, 'REFUND-THAT-NOBODY-MADE');
  await unfounded.reaches('unfounded');
  await store('unfounded', unfounded);
});
