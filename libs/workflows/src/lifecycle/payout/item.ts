/** The kinds of receiver ids at the provider. */
export const receiverTypes = ['EMAIL', 'PHONE', 'PAYPAL_ID', 'USER_HANDLE'] as const;
export type ReceiverType = (typeof receiverTypes)[number];

/**
 * The statuses of an item, in the provider's words. Only `queued` is ours: the provider has shown nothing of it yet.
 * Only `success` means that the receiver has the money.
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
 * The possible next statuses of an item. An item may change several times between two reads, so indirect ones are
 * listed too. Unclaimed money returns automatically after the provider's 30 days; paid money can still be returned by
 * the receiver or reversed.
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

/** True while the provider may still pay or return it. */
export function isOpenItem(status: ItemStatus): boolean {
  return open.has(status);
}

export const openItemStatuses: readonly ItemStatus[] = itemStatuses.filter(isOpenItem);

/** The result of a read of an item compared with its recorded status. */
export type ItemReading = 'same' | 'moved' | 'older' | 'contradiction';

/**
 * An item's status never goes back: a shown status is taken only if it can follow the recorded one. If it can come
 * before the recorded one, the read lags. If neither, the provider contradicts itself.
 */
export function readingOf(known: ItemStatus, shown: ItemStatus): ItemReading {
  if (known === shown) return 'same';
  if (moves[known].includes(shown)) return 'moved';
  return moves[shown].includes(known) ? 'older' : 'contradiction';
}

/** All pairs of statuses with this result, for an SQL statement that takes a whole page. */
export function pairsReadAs(
  reading: ItemReading,
): readonly { readonly known: ItemStatus; readonly shown: ItemStatus }[] {
  return itemStatuses.flatMap((known) =>
    itemStatuses.filter((shown) => readingOf(known, shown) === reading).map((shown) => ({ known, shown })),
  );
}

/** The item status for the provider's word; undefined for an unknown word, which is ignored. */
export function itemStatusOf(word: string | undefined): ItemStatus | undefined {
  const status = word?.toLowerCase();
  return itemStatuses.find((known) => known === status && known !== 'queued');
}
