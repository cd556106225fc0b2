import { asNewRunsDo } from '#workflows/contract/run.js';
import { type PayoutRunInput, payoutOrderCommandId } from '#workflows/contract';
import { lookBeforeRefusal } from '#workflows/lifecycle/payout/lifecycle.js';
import {
  type PayoutOrder,
  type PayoutState,
  isTerminal,
  orderedPayout,
} from '#workflows/lifecycle/payout/payout.js';
import { transition } from '#workflows/lifecycle/payout';
import { orderItems } from '../rows/payouts.js';
import { patience } from './patience.js';
import { type Stage, owner } from './stage.js';

const currency = 'USD';

/** Orders a batch, and cancels an unclaimed item. */
export function playPayout(stage: Stage): void {
  const { world, rows, provider } = stage;
  const { draws, clock } = world;
  const payoutId = world.nextId('po_');
  provider.payouts.tempers.set(payoutId, {
    isRefused: draws.chance('batch refused', 0.08),
    end: draws.chance('batch denied', 0.15) ? 'DENIED' : 'SUCCESS',
  });
  const minors = Array.from({ length: draws.between('items', 1, 4) }, () =>
    draws.between('item minor', 100, 900),
  );
  const total = { minor: minors.reduce((sum, minor) => sum + minor, 0), currency };
  const order: PayoutOrder = { payoutId, items: minors.length, total, orderedAt: clock.now, patience };
  const state = orderedPayout(order);
  const row = { id: payoutId, kind: 'payout', ...owner, status: state.status, state, version: 0 };
  orderItems(
    rows,
    payoutId,
    minors.map((minor) => ({ minor, currency })),
  );
  rows.order(row, { id: payoutOrderCommandId(payoutId), kind: 'create', subjectId: payoutId });
  const input: PayoutRunInput = {
    ...asNewRunsDo,
    identity: { ...owner, payoutId },
    order,
    messagesPerRun: draws.pick('messages', [2, 1_000]),
  };
  stage.start(stage.workflowId(payoutId), 'payoutWorkflow', input);
  void cancelUnclaimed(stage, payoutId);
}

async function cancelUnclaimed(stage: Stage, payoutId: string): Promise<void> {
  const { draws, clock } = stage.world;
  if (!draws.chance('cancel item', 0.4)) return;
  const unclaimed = () => stage.rows.items.get(payoutId)?.find(({ status }) => status === 'unclaimed');
  await stage.until(
    () => unclaimed() !== undefined || isTerminal(stage.row<PayoutState>(payoutId).state.status),
  );
  await clock.sleep(draws.spread('cancel after', 10, 3_600_000));
  const item = unclaimed();
  if (!item?.provider_item_id) return;
  const { item_id: itemId, provider_item_id: providerItemId } = item;
  await stage.command(
    payoutId,
    'cancelItem',
    (commandId) => ({ type: 'itemCancelRequested', commandId, itemId, providerItemId }),
    (event) => {
      const { state } = stage.row<PayoutState>(payoutId);
      const isRefused = transition(state, event as never, clock.now).kind === 'refused';
      return isRefused && !lookBeforeRefusal(state, event as never, clock.now);
    },
  );
}
