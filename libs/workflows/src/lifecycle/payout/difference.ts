import { type Difference, differing } from '../difference.js';
import { type Money, moneyText } from '../money.js';
import { type ItemStatus, readingOf } from './item.js';
import { hasBeenGoneThrough } from './observation.js';
import type { PayoutState, PayoutStatus } from './payout.js';

/** What the provider shows of a batch. */
export interface ShownBatch {
  readonly batchStatus: string;
  /** Of all items, where it tells. */
  readonly total?: Money;
}

/** What is known and shown of an item; absent where one side does not have it. */
export interface ComparedItem {
  readonly itemId: string;
  readonly ours?: ItemStanding;
  readonly theirs?: ItemStanding;
}

export interface ItemStanding extends Money {
  readonly status: ItemStatus;
}

/** The provider's words that agree with where a batch stands, once it is known to have been gone through. */
const agreeing: Readonly<Partial<Record<PayoutStatus, readonly string[]>>> = {
  settling: ['SUCCESS', 'DENIED', 'CANCELED'],
  // Of items that all failed, one by one, the batch need not be called denied.
  completed: ['SUCCESS'],
  denied: ['DENIED'],
  cancelled: ['CANCELED'],
};

/** How a payout at rest differs from the batch that the provider shows, its items apart. */
export function differencesOf(state: PayoutState, { batchStatus, total }: ShownBatch): Difference[] {
  const { status, order } = state;
  const compared: Difference[] = [];
  const isOver = status === 'processing' && hasBeenGoneThrough({ batchStatus });
  if (isOver || agreeing[status]?.includes(batchStatus) === false) {
    compared.push({ field: 'batch', ours: status, theirs: batchStatus.toLowerCase() });
  }
  if (total) compared.push({ field: 'total', ours: moneyText(order.total), theirs: moneyText(total) });
  return differing(compared);
}

/** How its items differ. What is merely shown as it was before is a read that lags. */
export function itemDifferences(items: readonly ComparedItem[]): Difference[] {
  return differing(
    items.map(({ itemId, ours, theirs }) => {
      const isOlder = ours && theirs && readingOf(ours.status, theirs.status) === 'older';
      const shown = isOlder ? { ...theirs, status: ours.status } : theirs;
      return {
        field: `item ${itemId}`,
        ours: ours ? inWords(ours) : 'unknown',
        theirs: shown ? inWords(shown) : 'not shown',
      };
    }),
  );
}

function inWords({ status, ...money }: ItemStanding): string {
  return `${status} ${moneyText(money)}`;
}
