import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { findCommand } from '#database/commands';
import type { PayoutStepInput } from '#workflows/contract';
import { type Hired, PayoutStage, retire } from '../faults/payout-stage.js';
import { acceptRequest } from '../helpers/accept-request.js';
import { forAllTests } from '../helpers/shared.js';
import { LivePayout } from './live-payout.js';

let worker: Hired;
let payouts: LivePayout;
const stage = forAllTests(() => PayoutStage.open());
beforeAll(async () => {
  worker = stage.hire();
  payouts = new LivePayout(stage, worker);
  await stage.sandbox.configure({ payoutPendingMs: 0, payoutProcessingMs: 0 });
});
afterEach(() => stage.sandbox.clearFaults());
afterAll(() => retire(worker));

async function unclaimed(): Promise<PayoutStepInput> {
  const ordered = await payouts.ordered('r0+unclaimed@example.com');
  return await payouts.liveOn(ordered, ({ state }) => state.totals.unclaimed !== undefined);
}

it.each([
  ['does not know the item yet', { status: 404, times: 1 }],
  ['is away', { status: 503, times: 8 }],
])('an item that somebody else has cancelled is cancelled, although a read of it %s', async (_, fault) => {
  const payout = await unclaimed();
  const [item] = await payouts.itemsOf(payout);
  const providerItemId = item?.provider_item_id ?? '';
  await stage.sandbox.callAsOwner('POST', `/v1/payments/payouts-item/${providerItemId}/cancel`);
  await stage.sandbox.fault({ kind: 'status', operation: 'payout-item.get', ...fault });
  const commandId = `cmd_${providerItemId}`;
  const asked = { type: 'itemCancelRequested', commandId, itemId: 'item-0', providerItemId } as const;
  await acceptRequest(stage.db, payout.identity.payoutId, asked);
  const { state } = await payouts.liveOn(await payouts.take(payout, asked));
  expect([state.status, (await findCommand(stage.db, commandId))?.status]).toEqual([
    'completed',
    'succeeded',
  ]);
});
