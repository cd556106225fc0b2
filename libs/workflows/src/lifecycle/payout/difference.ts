import { type Difference, differing } from '../difference.js';
import { type Money, moneyText } from '../money.js';
import { type ItemStatus, readingOf } from './item.js';
import { isProcessed } from './observation.js';
import type { PayoutState, PayoutStatus } from './payout.js';

/** A batch as the provider shows it. */
export interface ShownBatch {
  readonly batchStatus: string;
  /** The sum of all items, if shown. */
  readonly total?: Money;
}

/** Our and the provider's status of an item; absent on the side that does not have it. */
export interface ComparedItem {
  readonly itemId: string;
  readonly ours?: ItemRecord;
  readonly theirs?: ItemRecord;
}

export interface ItemRecord extends Money {
  readonly status: ItemStatus;
}

/** The provider's statuses that agree with ours, once the provider has processed the batch. */
const agreeing: Readonly<Partial<Record<PayoutStatus, readonly string[]>>> = {
  settling: ['SUCCESS', 'DENIED', 'CANCELED'],
  // If all items failed one by one, the batch is not necessarily called denied.
  completed: ['SUCCESS'],
  denied: ['DENIED'],
  cancelled: ['CANCELED'],
};

/** The differences between a payout at rest and the provider's batch, without items. */
export function differencesOf(state: PayoutState, { batchStatus, total }: ShownBatch): Difference[] {
  const { status, order } = state;
  const compared: Difference[] = [];
  const isOver = status === 'processing' && isProcessed({ batchStatus });
  if (isOver || agreeing[status]?.includes(batchStatus) === false) {
    compared.push({ field: 'batch', ours: status, theirs: batchStatus.toLowerCase() });
  }
  if (total) compared.push({ field: 'total', ours: moneyText(order.total), theirs: moneyText(total) });
  return differing(compared);
}

/** The differences of items. An item that is shown in an earlier status is a lagging read, not a difference. */
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

function inWords({ status, ...money }: ItemRecord): string {
  return `${status} ${moneyText(money)}`;
}
