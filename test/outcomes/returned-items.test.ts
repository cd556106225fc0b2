import { pino } from 'pino';
import { afterEach, expect, it } from 'vitest';
import { reconcileSubjects } from '#worker/reconciliation/reconcile-subjects.js';
import type { MaintenanceContext } from '#worker/steps/activities/context.js';
import type { PayoutStepInput, RunStart } from '#workflows/contract';
import type { PayoutMessage } from '#workflows/contract/payout.js';
import { owner } from '../database/engine-database.js';
import { forAllTests } from '../helpers/shared.js';
import { LivePayout } from './live-payout.js';

const payouts = forAllTests(() => LivePayout.open());
afterEach(() => payouts.stage.sandbox.clearFaults());

async function paid(): Promise<PayoutStepInput> {
  const payout = await payouts.liveOn(await payouts.ordered('r0@example.com', 'r1@example.com'));
  expect(payout.state).toMatchObject({ status: 'completed', totals: { success: { count: 2 } } });
  return payout;
}

async function changeFirst(payout: PayoutStepInput, what: string): Promise<void> {
  const [item] = await payouts.itemsOf(payout);
  const address = `${payouts.stage.sandbox.url}/admin/payouts-item/${item?.provider_item_id}/${what}`;
  expect((await fetch(address, { method: 'POST' })).status).toBeLessThan(300);
}

/** The next answer shows the batch as it was, or not all of it. */
const nextRead = async (fault: Record<string, unknown>) =>
  await payouts.stage.sandbox.fault({ operation: 'payout.get', kind: 'reshape', times: 1, ...fault });
const asBefore = { add: { 'items[0].transaction_status': 'SUCCESS' } };

it.each([
  ['lacks the item', { remove: ['items[0]'] }],
  ['lists nothing', { add: { items: [] } }],
])('an item that came back is shown, although the first read lags and the next one %s', async (_, fault) => {
  const payout = await paid();
  await changeFirst(payout, 'refund');
  await nextRead(asBefore);
  const eventType = 'PAYMENT.PAYOUTS-ITEM.REFUNDED';
  const told = await payouts.take(payout, { type: 'providerNotified', eventType, isOfEndedItem: true });
  expect(await payouts.statusesOf(told)).toEqual(['success', 'success']);
  await nextRead(fault);
  const read = await payouts.liveOn(told);
  expect([read.state.status, await payouts.statusesOf(read)]).toEqual(['completed', ['refunded', 'success']]);
});

it('an item that no answer shows any more keeps no other one from being shown, and reads from ending', async () => {
  const payout = await paid();
  await changeFirst(payout, 'refund');
  await payouts.stage.sandbox.fault({
    operation: 'payout.get',
    kind: 'reshape',
    times: 100,
    remove: ['items[1]'],
  });
  const eventType = 'PAYMENT.PAYOUTS-ITEM.REFUNDED';
  const told = await payouts.take(payout, { type: 'providerNotified', eventType, isOfEndedItem: true });
  const read = await payouts.liveOn(told);
  expect([read.state.status, await payouts.statusesOf(read)]).toEqual(['completed', ['refunded', 'success']]);
});

/** What a comparison with the provider tells the run of a payout. */
async function toldByComparison({ identity: { payoutId } }: PayoutStepInput): Promise<PayoutMessage> {
  const told = new Map<string, PayoutMessage>();
  const runs = {
    startAgainWithMessage: async ({ subject }: RunStart, message: PayoutMessage) =>
      void told.set(subject.id, message),
  };
  const reconciliation = { applications: [owner], overlapMs: 1, graceMs: 1, lostAfterMs: 1 };
  const context = { ...payouts.worker.context, runs, logger: pino({ level: 'silent' }), reconciliation };
  await reconcileSubjects(context as unknown as MaintenanceContext, owner);
  const message = told.get(payoutId);
  if (!message) throw new Error('the comparison has told nobody');
  return message;
}

it('a reversal, of which no event comes, is shown although the read after the comparison lags', async () => {
  const payout = await paid();
  await changeFirst(payout, 'reverse');
  const { event } = await toldByComparison(payout);
  await nextRead(asBefore);
  const read = await payouts.liveOn(await payouts.take(payout, event));
  expect(await payouts.statusesOf(read)).toEqual(['reversed', 'success']);
});
