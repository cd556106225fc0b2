import type { PayoutItemRow, PayoutItemStatus } from '../database/tables.js';
import type { EventType } from '../events/event-types.js';
import type { ItemErrorName } from './item-outcome.js';

/** The changes of an item after it was paid. `error`: its new error; undefined: unchanged. */
interface Change {
  from: readonly PayoutItemStatus[];
  to: PayoutItemStatus;
  /** The public API names no event of a reversal: only a read of the item shows it. */
  event: EventType | null;
  error?: ItemErrorName | null;
}

export const ITEM_CHANGES = {
  complete: { from: ['PENDING'], to: 'SUCCESS', event: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', error: null },
  deny: {
    from: ['PENDING', 'ONHOLD'],
    to: 'FAILED',
    event: 'PAYMENT.PAYOUTS-ITEM.DENIED',
    error: 'RISK_DECLINE',
  },
  claim: { from: ['UNCLAIMED'], to: 'SUCCESS', event: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', error: null },
  release: { from: ['ONHOLD'], to: 'SUCCESS', event: 'PAYMENT.PAYOUTS-ITEM.SUCCEEDED', error: null },
  return: { from: ['UNCLAIMED', 'ONHOLD'], to: 'RETURNED', event: 'PAYMENT.PAYOUTS-ITEM.RETURNED' },
  cancel: { from: ['UNCLAIMED'], to: 'RETURNED', event: 'PAYMENT.PAYOUTS-ITEM.CANCELED' },
  block: {
    from: ['PENDING', 'UNCLAIMED', 'ONHOLD'],
    to: 'BLOCKED',
    event: 'PAYMENT.PAYOUTS-ITEM.BLOCKED',
    error: 'REGULATORY_BLOCKED',
  },
  refund: { from: ['SUCCESS'], to: 'REFUNDED', event: 'PAYMENT.PAYOUTS-ITEM.REFUNDED' },
  reverse: { from: ['SUCCESS'], to: 'REVERSED', event: null },
} as const satisfies Record<string, Change>;

export type ItemChange = keyof typeof ITEM_CHANGES;

/** Before its turn in the batch, an item is PENDING, too, but cannot change yet. */
export function canChange(item: Pick<PayoutItemRow, 'status' | 'processed_at'>, change: ItemChange): boolean {
  const from: readonly PayoutItemStatus[] = ITEM_CHANGES[change].from;
  return item.processed_at !== null && from.includes(item.status);
}

/** The receiver does not keep the money, or never gets it. */
export function comesBack(status: PayoutItemStatus): boolean {
  switch (status) {
    case 'FAILED':
    case 'RETURNED':
    case 'BLOCKED':
    case 'REFUNDED':
    case 'REVERSED':
      return true;
    case 'PENDING':
    case 'SUCCESS':
    case 'UNCLAIMED':
    case 'ONHOLD':
      return false;
  }
}
