import type { PayoutItemRow } from '#database/schema';
import type { ItemContradiction, ShownItem } from '#database/subjects/payout-items.js';
import { type ItemStatus, isOpenItem, readingOf } from '#workflows/lifecycle/payout/item.js';
import type { ItemTotals } from '#workflows/lifecycle/payout';
import { simulated } from './database.js';
import type { Rows } from './rows.js';

/** In the place of libs/database/src/subjects/payouts.ts, payout-items.ts and sealed-letters.ts: of them what the steps of a payout use. */

export async function findSealedLetters(
  db: unknown,
  _table: string,
  payoutId: string,
): Promise<Buffer | undefined> {
  return await simulated(db).run((rows) => rows.letters.get(payoutId));
}

export async function listPayoutItems(db: unknown, payoutId: string): Promise<PayoutItemRow[]> {
  return await simulated(db).run((rows) => [...itemsOf(rows, payoutId)]);
}

export async function takeItems(
  db: unknown,
  payoutId: string,
  shown: readonly ShownItem[],
): Promise<readonly ItemContradiction[]> {
  return await simulated(db).run((rows) => {
    const contradictions: ItemContradiction[] = [];
    const taken = itemsOf(rows, payoutId).map((item) => {
      const page = shown.find(({ itemId }) => itemId === item.item_id);
      if (!page) return item;
      const isSame =
        item.minor === page.minor &&
        item.currency === page.currency &&
        (item.provider_item_id ?? page.providerItemId) === page.providerItemId;
      const reading = readingOf(item.status, page.status);
      if (!isSame || reading === 'contradiction') {
        contradictions.push({ itemId: item.item_id, known: item.status, shown: page.status });
      }
      if (!isSame || reading !== 'moved') return item;
      rows.watcher?.partChanged?.(`${item.item_id} of ${payoutId}`, item.status, page.status);
      return { ...item, status: page.status, provider_item_id: page.providerItemId };
    });
    rows.items.set(payoutId, taken);
    return contradictions.toSorted((one, other) => (one.itemId < other.itemId ? -1 : 1));
  });
}

export async function totalItems(db: unknown, payoutId: string): Promise<ItemTotals> {
  return await simulated(db).run((rows) => {
    const totals: Partial<Record<ItemStatus, { count: number; minor: number }>> = {};
    for (const { status, minor } of itemsOf(rows, payoutId)) {
      const { count = 0, minor: sum = 0 } = totals[status] ?? {};
      totals[status] = { count: count + 1, minor: sum + minor };
    }
    return totals;
  });
}

export async function listOpenItems(
  db: unknown,
  payoutId: string,
  limit: number,
): Promise<Pick<PayoutItemRow, 'item_id' | 'provider_item_id'>[]> {
  return await simulated(db).run((rows) =>
    itemsOf(rows, payoutId)
      .filter(({ status }) => isOpenItem(status))
      .slice(0, limit),
  );
}

function itemsOf(rows: Rows, payoutId: string): readonly PayoutItemRow[] {
  return rows.items.get(payoutId) ?? [];
}

/** As the API commits an order: its items, and the letters that are sent along with them. */
export function orderItems(
  rows: Rows,
  payoutId: string,
  items: readonly Pick<PayoutItemRow, 'minor' | 'currency'>[],
): void {
  const blank = {
    payout_id: payoutId,
    receiver_type: 'EMAIL',
    receiver_masked: '',
    status: 'queued',
  } as const;
  const left = { provider_item_id: null, transaction_id: null, error_code: null };
  const ordered = items.map((item, at) => ({ ...item, item_id: `item${at + 1}`, position: at + 1 }));
  rows.items.set(
    payoutId,
    ordered.map((item) => ({ ...blank, ...left, ...item, updated_at: new Date(rows.now()) })),
  );
  const letters = { items: items.map(() => ['receiver@shop.example', null]) };
  rows.letters.set(payoutId, Buffer.from(JSON.stringify(letters)));
}
