import { type ShownItem, takeItems, totalItems } from '#database/subjects';
import type { Database } from '#database/connection';
import { hasCardNumber } from '#database/text';
import type { PayoutItem } from '#payments-client';
import { parseMoney } from '#workflows/lifecycle';
import { itemStatusOf, type ItemTotals } from '#workflows/lifecycle/payout';

/**
 * Writes the shown state of items to their rows.
 *
 * @returns the contradiction to the rows, in words for an operator; undefined if there is none.
 */
export async function takeShownItems(
  db: Database,
  payoutId: string,
  items: readonly PayoutItem[],
): Promise<string | undefined> {
  const [first, ...others] = await takeItems(db, payoutId, items.flatMap(shownItem));
  if (!first) return undefined;
  const what =
    first.known === first.shown
      ? 'with another amount or id'
      : `as ${first.shown}, and is on record as ${first.known}`;
  const more = others.length === 0 ? '' : `, and ${others.length} more do not agree`;
  return `Item ${first.itemId} is shown ${what}${more}.`;
}

/** Writes the shown state of one item, and counts the totals again. */
export async function takeShownItem(db: Database, payoutId: string, item: PayoutItem): Promise<ItemTotals> {
  await takeShownItems(db, payoutId, [item]);
  return await totalItems(db, payoutId);
}

/** An item without a status, with an unknown status or without our reference is ignored and read again. */
export function shownItem(item: PayoutItem): ShownItem[] {
  const { id, senderItemId, amount, transactionId, errorCode } = item;
  const status = itemStatusOf(item.status);
  if (status === undefined || senderItemId === undefined || amount === undefined) return [];
  const { minor, currency } = parseMoney(amount.value, amount.currency);
  const code = errorCode !== undefined && /^[A-Z][A-Z0-9_]{0,63}$/.test(errorCode) ? errorCode : undefined;
  return [
    {
      itemId: senderItemId,
      providerItemId: id,
      status,
      minor,
      currency,
      ...(transactionId !== undefined && !hasCardNumber(transactionId) && { transactionId }),
      ...(code !== undefined && { errorCode: code }),
    },
  ];
}
