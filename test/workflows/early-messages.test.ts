import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import { payoutSignals, payoutSnapshotQuery } from '#workflows/contract/payout.js';
import { subscriptionSignals } from '#workflows/contract/subscription.js';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { PayoutService, item } from '../payouts/payout-service.js';

const engine = forAllTests(() => startEngine({ withWorker: false, answerWithinMs: 1_000 }));

const takenBy = async (id: string): Promise<string[]> =>
  (
    await engine.db
      .selectFrom('timeline')
      .select('event')
      .where('subject_id', '=', id)
      .orderBy('id')
      .execute()
  ).map(({ event }) => event);

const newCommandId = () => `cmd_${randomUUID().replaceAll('-', '')}`;

it('takes messages from before its first workflow task, in the order in which they came', async () => {
  const stage = new SubscriptionStage(engine);
  const first = await engine.startWorker();
  const { id: planId } = (await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' } }))
    .body;
  await until(
    () => engine.db.selectFrom('plans').select('status').where('id', '=', planId).executeTakeFirst(),
    (plan) => plan?.status === 'active',
    'the plan to be active',
  );
  await first.close();

  const payout = (await new PayoutService(engine).order([item('early')])).body;
  const startDate = new Date(Date.now() + 600_000).toISOString();
  const subscription = (await stage.order(planId, { startDate })).body;
  await engine.temporal.workflow
    .getHandle(`payout/sandbox/shop/${payout.id}`)
    .signal(payoutSignals.itemCancelRequested, {
      id: randomUUID(),
      event: {
        type: 'itemCancelRequested',
        commandId: newCommandId(),
        itemId: 'early',
        providerItemId: 'NONE',
      },
    });
  // The run names its signals in the opposite order.
  for (const type of ['reactivateRequested', 'suspendRequested'] as const) {
    await engine.temporal.workflow
      .getHandle(`subscription/sandbox/shop/${subscription.id}`)
      .signal(subscriptionSignals[type], {
        id: randomUUID(),
        event: { type, commandId: newCommandId(), note: 'Early' },
      });
  }

  const second = await engine.startWorker();
  await until(
    () => takenBy(payout.id),
    (events) => events.includes('itemCancelRequested'),
    'the payout to take its signals',
  );
  const taken = await until(
    async () => (await takenBy(subscription.id)).filter((event) => event.endsWith('Requested')),
    (events) => events.length > 1,
    'the subscription to take its signals',
  );
  expect(taken).toEqual(['reactivateRequested', 'suspendRequested']);
  await second.close();
});

it('takes a hint that asks for more than a waiting one', async () => {
  const payouts = new PayoutService(engine);
  const worker = await engine.startWorker();
  const { body } = await payouts.order([item('open', 'unclaimed')]);
  await payouts.itemReaches(body.id, 'open', 'unclaimed');
  await worker.close();
  const run = engine.temporal.workflow.getHandle(`payout/sandbox/shop/${body.id}`);
  for (const more of [{}, { isOfEndedItem: true }] as const) {
    const event = { type: 'providerNotified', eventType: 'PAYMENT.PAYOUTS-ITEM.REFUNDED', ...more } as const;
    await run.signal(payoutSignals.providerNotified, { id: randomUUID(), event });
  }
  await engine.startWorker();
  const { state } = await until(
    () => run.query(payoutSnapshotQuery),
    ({ waitingMessages, state: { readAt, confirmAt } }) =>
      waitingMessages === 0 && (readAt !== undefined || confirmAt !== undefined),
    'the run to have taken both',
  );
  expect(state.confirmAt).toBeGreaterThan(Date.now());
});
