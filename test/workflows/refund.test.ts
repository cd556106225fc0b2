import { afterEach, describe, expect, it } from 'vitest';
import { listTimeline } from '#database/transitions';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { startRunFixture } from './payment-run.js';
import { capturedRun, startRefundRun } from './refund-run.js';

const fixture = forAllTests(startRunFixture);
afterEach(() => fixture.sandbox.clearFaults());

const showsAll = (add: Record<string, unknown>) =>
  fixture.sandbox.fault({ kind: 'reshape', operation: 'refund.get', add, times: null });

const readsOf = async (refundId: string) =>
  await fixture.db
    .selectFrom('api_calls')
    .selectAll()
    .where('operation', '=', 'refund.get')
    .where('path', 'like', `%${refundId}`)
    .execute();

describe("a refund's run", () => {
  it('watches a pending refund even after its run was cancelled', async () => {
    const { run, captureId } = await capturedRun(fixture);
    await showsAll({ state: 'pending' });
    const refundId = await fixture.sandbox.refundElsewhere(captureId, '10.00');
    const refund = await startRefundRun(fixture, run, refundId);
    await refund.reaches('pending');
    await fixture.temporal.workflow.getHandle(refund.workflowId).cancel();
    await fixture.sandbox.clearFaults();
    await refund.reaches('completed');
    expect(await fixture.temporal.workflow.getHandle(refund.workflowId).result()).toEqual({
      status: 'completed',
      amount: { minor: 1_000, currency: 'USD' },
    });
  });

  it('case 9: continues across continue-as-new, and remembers the signals that it got', async () => {
    const { run, captureId } = await capturedRun(fixture);
    await showsAll({ state: 'pending' });
    const refundId = await fixture.sandbox.refundElsewhere(captureId, '10.00');
    const refund = await startRefundRun(fixture, run, refundId, { looksPerRun: 2 });
    await refund.reaches('pending');
    const handle = fixture.temporal.workflow.getHandle(refund.workflowId);
    const firstRun = (await handle.describe()).runId;
    await until(
      async () => (await handle.describe()).runId,
      (runId) => runId !== firstRun,
      'the run to continue as new',
    );
    const { state, version } = await refund.snapshot();
    expect(state).toMatchObject({ status: 'pending', amount: { minor: 1_000 } });
    expect(version).toBeGreaterThan(1);
    // Told again of what started it: it has read for that, and does not again.
    const reported = { id: 'first', after: (await readsOf(refundId)).length };
    for (let times = 0; times < 5; times += 1) await refund.notify(reported.id);
    await fixture.sandbox.clearFaults();
    await refund.reaches('completed');
    expect((await readsOf(refundId)).length - reported.after).toBeLessThan(5);
    const row = await fixture.db
      .selectFrom('refunds')
      .selectAll()
      .where('provider_refund_id', '=', refundId)
      .executeTakeFirstOrThrow();
    expect((await listTimeline(fixture.db, row.id)).map(({ to_status }) => to_status)).toEqual([
      'pending',
      'completed',
    ]);
  });
});
