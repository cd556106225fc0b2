import { orderedId, type StoryRecord } from '../record.js';
import { give, repeatAccepted, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import { itemList, itemsOnePage, type PaidOut, type PayoutView, payoutView } from './payout-view.js';
import type { PayoutPlan, PlannedItem } from './plan.js';

export type PayoutRecord = StoryRecord<PaidOut>;

export interface PayoutScene extends Scene {
  readonly plan: PayoutPlan;
  readonly record: PayoutRecord;
}

/** The provider still works at an item of this status; an unclaimed one waits for its receiver. */
const moving = ['queued', 'pending', 'onhold'];

export async function playPayout(scene: PayoutScene): Promise<void> {
  const { plan, orderService, signal } = scene;
  const created = await give(scene, 'create', '/v1/payouts', {
    reference: plan.orderId,
    emailSubject: 'Your share',
    items: plan.items.map((item) => wireItem(plan, item)),
  });
  const id = orderedId(scene.record);
  if (id === undefined) throw new Error(`payout ${plan.orderId} was not taken: ${created.detail ?? ''}`);
  const address = addressOf(id);
  const paid = await orderService.until(address, payoutView, isAtRest, signal);
  if (paid.state === 'settling') {
    const takenBack = plan.items.filter(({ isTakenBack }) => isTakenBack);
    for (const { itemId } of takenBack) {
      await give(scene, 'cancel item', `${address}/items/${itemId}/cancel`, {});
    }
  }
  if (plan.repeatsWhatIsDone) await repeatAccepted(scene);
}

/** When nothing fails any more: every accepted request once more, then the engine's last word. */
export async function takeStockOfPayout(
  record: PayoutRecord,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<void> {
  await repeatAccepted({ orderService, record, signal });
  const id = orderedId(record);
  if (id === undefined) return;
  const { items } = await orderService.read(`${addressOf(id)}/items${itemsOnePage}`, itemList, signal);
  record.final = { payout: await orderService.read(addressOf(id), payoutView, signal), items };
}

function addressOf(id: string): string {
  return `/v1/payouts/${id}`;
}

function wireItem(plan: PayoutPlan, { itemId, receiver, minor }: PlannedItem): object {
  return {
    itemId,
    receiver: { type: 'EMAIL', value: `${itemId}+${receiver}@receivers.example` },
    amount: amountOf(minor, plan),
  };
}

/** Nothing changes any more without a receiver, or without being asked. */
function isAtRest({ state, totals }: PayoutView): boolean {
  if (state === 'creating' || state === 'processing') return false;
  return state !== 'settling' || moving.every((status) => (totals[status]?.count ?? 0) === 0);
}
