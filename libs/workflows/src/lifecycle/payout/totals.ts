import { type ItemStatus, isOpenItem, itemStatuses } from './item.js';

/** Items of one status, and what they come to in minor units of the batch's currency. */
export interface ItemTotal {
  readonly count: number;
  readonly minor: number;
}

/** By status; what no item stands at is left out. */
export type ItemTotals = Readonly<Partial<Record<ItemStatus, ItemTotal>>>;

export function countOpen(totals: ItemTotals): number {
  return itemStatuses.reduce(
    (count, status) => (isOpenItem(status) ? count + (totals[status]?.count ?? 0) : count),
    0,
  );
}

export function isSameTotals(one: ItemTotals, other: ItemTotals): boolean {
  return itemStatuses.every(
    (status) => one[status]?.count === other[status]?.count && one[status]?.minor === other[status]?.minor,
  );
}
