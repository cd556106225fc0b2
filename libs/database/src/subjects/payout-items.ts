import { sql } from 'kysely';
import { type ItemStatus, openItemStatuses, pairsReadAs, type ItemTotals } from '#workflows/lifecycle/payout';
import type { Database } from '../connection/database.js';
import { type NewsParameters, outboxRows } from '../notifications/notification-rows.js';
import { itemNews } from '../notifications/payout-news.js';
import type { PayoutItemRow } from '../schema/schema.js';
import { storableText } from '../text/storable-text.js';

/** An item as the provider shows it. */
export interface ShownItem {
  /** Our own reference of the item. */
  readonly itemId: string;
  readonly providerItemId: string;
  readonly status: ItemStatus;
  readonly minor: number;
  readonly currency: string;
  readonly transactionId?: string;
  readonly errorCode?: string;
}

/** A contradiction between the shown item and our records. */
export interface ItemContradiction {
  readonly itemId: string;
  readonly known: ItemStatus;
  readonly shown: ItemStatus;
}

interface TakenRow {
  readonly item_id: string;
  readonly known: ItemStatus;
  readonly shown: ItemStatus;
}

/**
 * Writes the items of a page in one statement. Each item makes only allowed status changes. An item that is shown with
 * another amount or another provider id is not changed.
 *
 * @returns the contradictions, in the order of the items' ids.
 */
export async function takeItems(
  db: Database,
  payoutId: string,
  shown: readonly ShownItem[],
): Promise<readonly ItemContradiction[]> {
  if (shown.length === 0) return [];
  const [notifications, deliveries] = outboxRows('notification', newsOfMoved(payoutId));
  const { rows } = await sql<TakenRow>`
    with shown as materialized (
      select item.item_id, item.status as known, page.*,
        item.minor = page.minor and item.currency = page.currency
          and coalesce(item.provider_item_id, page.provider_item_id) = page.provider_item_id as is_same
      from ${pageOf(shown)} join payout_items item on item.payout_id = ${payoutId} and item.item_id = page.sender_item_id
    ), moved as (
      update payout_items set status = shown.status, provider_item_id = shown.provider_item_id,
        transaction_id = coalesce(shown.transaction_id, payout_items.transaction_id),
        error_code = shown.error_code, updated_at = now()
      from shown
      where payout_items.payout_id = ${payoutId} and payout_items.item_id = shown.item_id and shown.is_same
        -- Compared with the row as it is when it is locked: another worker may have moved it since.
        and (payout_items.status, shown.status) in (${pairs('moved')})
      returning payout_items.item_id, payout_items.status
    ), notification as (${notifications}), delivery as (${deliveries})
    select item_id, known, status as shown from shown
    where not is_same or (known, status) in (${pairs('contradiction')})
    order by item_id`.execute(db);
  return rows.map(({ item_id, known, shown: status }) => ({ itemId: item_id, known, shown: status }));
}

function newsOfMoved(payoutId: string): NewsParameters {
  const types = Object.entries(itemNews).map(
    ([status, type]) => sql`when ${sql.lit(status)} then ${sql.lit(type)}`,
  );
  const type = sql`case moved.status ${sql.join(types, sql` `)} end`;
  const of = (column: string) => sql`(select ${sql.ref(column)} from payouts where id = ${payoutId})`;
  return {
    environment: of('environment'),
    application: of('application'),
    subjectId: sql`${payoutId}::text`,
    news: sql`(select coalesce(jsonb_agg(jsonb_build_object('type', ${type}, 'item_id', moved.item_id,
      'fact', concat_ws(':', 'item', moved.item_id, moved.status))), '[]') from moved where ${type} is not null)`,
  };
}

/** Number and sum of the items by status. */
export async function totalItems(db: Database, payoutId: string): Promise<ItemTotals> {
  const payout = db.selectFrom('payouts').select(totalsOfItems).where('id', '=', payoutId);
  return (await payout.executeTakeFirstOrThrow()).totals;
}

/**
 * The same as a column of a query of payouts. Items only go forward, but a state may be older than one that was shown: the
 * reads of a lost workflow task are not in its history.
 */
export const totalsOfItems = sql<ItemTotals>`(
  select coalesce(jsonb_object_agg(status, jsonb_build_object('count', count, 'minor', minor)), '{}')
  from (
    -- The limits of a request keep the sum below the largest safe integer.
    select status, count(*) as count, sum(minor) as minor from payout_items where payout_id = payouts.id group by status
  ) as total)`.as('totals');

/** The items that may still change, in the order of the request. */
export async function listOpenItems(
  db: Database,
  payoutId: string,
  limit: number,
): Promise<Pick<PayoutItemRow, 'item_id' | 'provider_item_id'>[]> {
  return await db
    .selectFrom('payout_items')
    .select(['item_id', 'provider_item_id'])
    .where('payout_id', '=', payoutId)
    .where('status', 'in', openItemStatuses)
    .orderBy('position')
    .limit(limit)
    .execute();
}

/** The items of a page, in no particular order. */
export async function findPayoutItems(
  db: Database,
  payoutId: string,
  itemIds: readonly string[],
): Promise<PayoutItemRow[]> {
  if (itemIds.length === 0) return [];
  return await db
    .selectFrom('payout_items')
    .selectAll()
    .where('payout_id', '=', payoutId)
    .where('item_id', 'in', itemIds)
    .execute();
}

function pageOf(shown: readonly ShownItem[]) {
  const column = <T>(valueOf: (item: ShownItem) => T): T[] => shown.map(valueOf);
  return sql`unnest(
    ${column(({ itemId }) => itemId)}::text[],
    ${column(({ providerItemId }) => providerItemId)}::text[],
    ${column(({ status }) => status)}::text[],
    ${column(({ minor }) => minor)}::bigint[],
    ${column(({ currency }) => currency)}::text[],
    ${column(({ transactionId }) => transactionId ?? null)}::text[],
    ${column(({ errorCode }) => (errorCode === undefined ? null : storableText(errorCode)))}::text[]
  ) as page (sender_item_id, provider_item_id, status, minor, currency, transaction_id, error_code)`;
}

function pairs(reading: Parameters<typeof pairsReadAs>[0]) {
  return sql.join(pairsReadAs(reading).map(({ known, shown }) => sql`(${known}, ${shown})`));
}
