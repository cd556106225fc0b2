/** How a receiver is named to the provider. */
export const receiverTypes = ['EMAIL', 'PHONE', 'PAYPAL_ID', 'USER_HANDLE'] as const;
export type ReceiverType = (typeof receiverTypes)[number];

/**
 * Where one payment of a batch stands, in the provider's words but for `queued`: it has told nothing of it yet. Whether
 * the money is with the receiver is told by `success` alone.
 */
export const itemStatuses = [
  'queued',
  'pending',
  'onhold',
  'unclaimed',
  'success',
  'failed',
  'returned',
  'blocked',
  'refunded',
  'reversed',
] as const;
export type ItemStatus = (typeof itemStatuses)[number];

/**
 * What can become of an item. Between two reads it may have gone several steps, so what comes after a next one is listed
 * as well. Unclaimed money goes back by itself after the provider's 30 days; what was paid can still be given back by its
 * receiver, or taken back.
 */
const moves: Readonly<Record<ItemStatus, readonly ItemStatus[]>> = {
  queued: itemStatuses.filter((status) => status !== 'queued'),
  pending: ['onhold', 'unclaimed', 'success', 'failed', 'returned', 'blocked', 'refunded', 'reversed'],
  onhold: ['unclaimed', 'success', 'failed', 'returned', 'blocked', 'refunded', 'reversed'],
  unclaimed: ['success', 'failed', 'returned', 'blocked', 'refunded', 'reversed'],
  success: ['refunded', 'reversed'],
  failed: [],
  returned: [],
  blocked: [],
  refunded: [],
  reversed: [],
};

const open: ReadonlySet<ItemStatus> = new Set(['queued', 'pending', 'onhold', 'unclaimed']);

/** True while the provider may still pay it, or give it back. */
export function isOpenItem(status: ItemStatus): boolean {
  return open.has(status);
}

export const openItemStatuses: readonly ItemStatus[] = itemStatuses.filter(isOpenItem);

/** What a read says of an item whose status is on record. */
export type ItemReading = 'same' | 'moved' | 'older' | 'contradiction';

/**
 * An item never goes back: what is shown of it is taken only where one leads to the other. Shown as it was once, the read
 * lags; shown as something that neither leads to nor comes before what is on record, the provider contradicts itself.
 */
export function readingOf(known: ItemStatus, shown: ItemStatus): ItemReading {
  if (known === shown) return 'same';
  if (moves[known].includes(shown)) return 'moved';
  return moves[shown].includes(known) ? 'older' : 'contradiction';
}

/** Every pair of statuses for which a read means this, for a statement that takes a whole page at once. */
export function pairsReadAs(
  reading: ItemReading,
): readonly { readonly known: ItemStatus; readonly shown: ItemStatus }[] {
  return itemStatuses.flatMap((known) =>
    itemStatuses.filter((shown) => readingOf(known, shown) === reading).map((shown) => ({ known, shown })),
  );
}

/** The provider's word for where an item stands; undefined for one that we do not know, which tells nothing. */
export function itemStatusOf(word: string | undefined): ItemStatus | undefined {
  const status = word?.toLowerCase();
  return itemStatuses.find((known) => known === status && known !== 'queued');
}
