import { orderedId, type ScenarioRecord } from '../record.js';
import { give, mostTries, repeatAnswered, type Scene } from '../scene.js';
import { amountOf } from '../wire-money.js';
import { itemList, type ItemView, type PaidOut, type PayoutView, payoutView } from './payout-view.js';
import type { PayoutPlan, PlannedItem } from './plan.js';

export type PayoutRecord = ScenarioRecord<PaidOut>;

export interface PayoutScene extends Scene {
  readonly plan: PayoutPlan;
  readonly record: PayoutRecord;
}

/** The provider still works at an item of this status; an unclaimed one waits for its receiver. */
const moving = ['queued', 'pending', 'onhold'];

export async function playPayout(scene: PayoutScene): Promise<void> {
  const { plan, orderService, signal } = scene;
  const { items } = plan;
  if (plan.hasTwins)
    await give(scene, 'create twins', '/v1/payouts', orderOf(plan, [...items, ...items.slice(0, 1)]));
  const created = await give(scene, 'create', '/v1/payouts', orderOf(plan, items));
  const id = orderedId(scene.record);
  if (id === undefined) throw new Error(`payout ${plan.orderId} was not taken: ${created.detail ?? ''}`);
  const address = addressOf(id);
  const paid = await orderService.until(address, payoutView, isAtRest, signal);
  if (paid.state === 'settling') {
    const takenBack = plan.items.filter(({ isTakenBack }) => isTakenBack);
    for (const { itemId } of takenBack) await takeBack(scene, address, itemId);
  }
  // Held against what is shown later.
  await readItems(address, scene);
  if (plan.repeatsWhatIsDone) await repeatAnswered(scene);
}

/**
 * A request that is refused because of the state is tried again: a worker whose task was lost writes its rows again.
 */
async function takeBack(scene: PayoutScene, address: string, itemId: string): Promise<void> {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { outcome } = await give(scene, 'cancel item', `${address}/items/${itemId}/cancel`, {});
    if (outcome !== 'refused') return;
    await scene.orderService.until(address, payoutView, isAtRest, scene.signal);
  }
}

/** After the faults: repeats every answered request and reads the engine's last answer. */
export async function takeStockOfPayout(
  record: PayoutRecord,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<void> {
  await repeatAnswered({ orderService, record, signal });
  const id = orderedId(record);
  if (id === undefined) return;
  const items = await readItems(addressOf(id), { orderService, signal });
  record.final = { payout: await orderService.read(addressOf(id), payoutView, signal), items };
}

/** Page by page. */
async function readItems(
  address: string,
  { orderService, signal }: Pick<Scene, 'orderService' | 'signal'>,
): Promise<ItemView[]> {
  const all: ItemView[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const query: string = cursor === '' ? '' : `?cursor=${encodeURIComponent(cursor)}`;
    const { data, nextCursor } = await orderService.read(`${address}/items${query}`, itemList, signal);
    all.push(...data);
    cursor = nextCursor;
  }
  return all;
}

function addressOf(id: string): string {
  return `/v1/payouts/${id}`;
}

function orderOf(plan: PayoutPlan, items: readonly PlannedItem[]): object {
  return {
    reference: plan.orderId,
    emailSubject: 'Your share',
    items: items.map((item) => wireItem(plan, item)),
  };
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
