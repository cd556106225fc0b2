import { type ItemStatus, isOpenItem, itemStatuses } from './item.js';

/** Number of items of one status, and their sum in minor units of the batch's currency. */
export interface ItemTotal {
  readonly count: number;
  readonly minor: number;
}

/** Totals by status, without empty ones. */
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
