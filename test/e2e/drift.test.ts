import { describe, expect, it } from 'vitest';
import { listDriftOf } from '#database/reconciliation';
import type { DriftRow } from '#database/schema';
import { startEngine } from '../helpers/engine.js';
import { eventNames } from '../helpers/event-names.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';
import { SubscriptionStage } from './subscription-stage.js';

const engine = forAllTests(() => startEngine({ reconciles: 'often' }));
const stage = new SubscriptionStage(engine);
const payouts = new PayoutService(engine);

/** Nobody reports what is done from now on: no event comes, and none can be searched for. */
async function silence(): Promise<void> {
  await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
  await engine.sandbox.fault({ operation: 'event.list', kind: 'status', status: 503, times: null });
}

/** Awaits that a field is reported to differ, and tells how. */
async function driftIn(id: string, field: string, holds: (row: DriftRow) => boolean = () => true) {
  const find = async () => (await listDriftOf(engine.db, id)).find((row) => row.field === field);
  return await until(find, (row) => row !== undefined && holds(row), `the drift of ${id} in ${field}`);
}

describe('case 12: changes made elsewhere without webhooks', () => {
  it('are seen in subscriptions, plans and payouts, and followed by those that have not ended', async () => {
    const { body: plan } = await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } });
    const startDate = new Date(Date.now() + 600_000).toISOString();
    const subscription = await stage.subscribed(plan.id, { startDate });
    await stage.reaches(subscription.id, 'active');
    const { body: payout } = await payouts.order([item('anna'), item('berta')]);
    await payouts.reaches(payout.id, 'completed');
    const [anna] = await payouts.items(payout.id);
    await silence();

    await stage.changeElsewhere(subscription.id, 'suspend');
    expect(await driftIn(subscription.id, 'agreement')).toMatchObject({
      ours: 'active',
      theirs: 'suspended',
    });
    // The hint makes its run look: the drift is over once the records say the same.
    await stage.reaches(subscription.id, 'suspended');
    await driftIn(subscription.id, 'agreement', ({ resolved_at }) => resolved_at !== null);

    await stage.repriceElsewhere(plan.id, '12.00');
    expect(await driftIn(plan.id, 'regular phase')).toMatchObject({
      ours: '9.00 USD every 1 YEAR, 5 times',
      theirs: '12.00 USD every 1 YEAR, 5 times',
      resolved_at: null,
    });
    // The hint's read is over: it would find what is done next before a comparison does.
    const run = engine.temporal.workflow.getHandle(`plan/sandbox/shop/${plan.id}`);
    await until(
      () => eventNames(run),
      (names) =>
        names.lastIndexOf('takeEvent') > names.lastIndexOf('workflowExecutionSignaledEventAttributes'),
      'the plan to be read after the hint',
    );
    await stage.changePlanElsewhere(plan.id, 'INACTIVE');
    await driftIn(plan.id, 'plan');
    await until(
      () => engine.orders.read<{ state: string }>(`/v1/plans/${plan.id}`),
      ({ state }) => state === 'inactive',
      'the plan to be inactive',
    );

    await payouts.change(anna?.providerItemId ?? '', 'refund');
    expect(await driftIn(payout.id, 'item anna')).toMatchObject({
      ours: 'success 7.50 USD',
      theirs: 'refunded 7.50 USD',
    });
    expect((await payouts.get(payout.id)).state).toBe('completed');
  });

  it('are reported as unread, not as drift, when the provider’s answer cannot be read', async () => {
    await engine.sandbox.clearFaults();
    const { body: plan } = await stage.plan();
    const { clientId } = engine.sandbox;
    await engine.sandbox.fault({ clientId, operation: 'plan.get', kind: 'garbage', times: null });
    await driftIn(plan.id, 'plan', ({ is_unread }) => is_unread);
    const reported = await engine.orders.read<{ data: unknown[] }>('/v1/drift?resolved=false&kind=unread');
    expect(reported.data).toContainEqual(expect.objectContaining({ subjectId: plan.id, kind: 'unread' }));
    const { data: drift } = await engine.orders.read<{ data: { subjectId: string }[] }>(
      '/v1/drift?kind=difference',
    );
    expect(drift.map(({ subjectId }) => subjectId)).not.toContain(plan.id);

    await engine.sandbox.clearFaults();
    await driftIn(plan.id, 'plan', ({ resolved_at }) => resolved_at !== null);
  });
});
