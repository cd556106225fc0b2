import { afterEach, expect, it } from 'vitest';
import { findCommand } from '#database/commands';
import type { PayoutStepInput } from '#workflows/contract';
import { acceptRequest } from '../helpers/accept-request.js';
import { forAllTests } from '../helpers/shared.js';
import { LivePayout } from './live-payout.js';

const payouts = forAllTests(() => LivePayout.open());
afterEach(() => payouts.stage.sandbox.clearFaults());

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
  await payouts.stage.sandbox.callAsOwner('POST', `/v1/payments/payouts-item/${providerItemId}/cancel`);
  await payouts.stage.sandbox.fault({ kind: 'status', operation: 'payout-item.get', ...fault });
  const commandId = `cmd_${providerItemId}`;
  const asked = { type: 'itemCancelRequested', commandId, itemId: 'item-0', providerItemId } as const;
  await acceptRequest(payouts.stage.db, payout.identity.payoutId, asked);
  const { state } = await payouts.liveOn(await payouts.take(payout, asked));
  expect([state.status, (await findCommand(payouts.stage.db, commandId))?.status]).toEqual([
    'completed',
    'succeeded',
  ]);
});
