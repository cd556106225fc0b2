import type { Kysely } from 'kysely';
import type { PayoutBatchRow, Tables } from '../database/tables.js';
import { ApiError } from '../http/api-error.js';
import type { Link, Links } from '../http/links.js';
import { ownRow } from '../server/own-row.js';
import { atOneInstant } from '../server/reading.js';
import { batchLink, describeBatchHeader, describeItem, describeListedItem } from './payout-representation.js';
import type { PayoutGetQuery } from './payout-request.js';

/**
 * A batch and one page of its items, in their original order. A page is found by the items' positions, so the last one
 * costs as much as the first one.
 * @throws ApiError INVALID_RESOURCE_ID when the application has no such batch.
 */
export function getPayout(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  batchId: string,
  query: PayoutGetQuery,
): Promise<object> {
  return atOneInstant(database, async (transaction) => {
    const batch = await ownRow(transaction, 'payout_batches', clientId, batchId);
    const isAsked = (member: NonNullable<PayoutGetQuery['fields']>[number]) =>
      query.fields?.includes(member) ?? true;
    const pages = Math.ceil(batch.item_count / query.page_size);
    return {
      ...(query.total_required && isAsked('total_items') && { total_items: batch.item_count }),
      ...(query.total_required && isAsked('total_pages') && { total_pages: pages }),
      ...(isAsked('batch_header') && { batch_header: describeBatchHeader(batch) }),
      ...(isAsked('items') && { items: await listItems(transaction, links, batch, query) }),
      ...(isAsked('links') && { links: pageLinks(links, batch, query, pages) }),
    };
  });
}

/** @throws ApiError INVALID_RESOURCE_ID when the application has no such item. */
export async function getPayoutItem(
  database: Kysely<Tables>,
  links: Links,
  clientId: string,
  itemId: string,
): Promise<object> {
  const found = await database
    .selectFrom('payout_items')
    .innerJoin('payout_batches', 'payout_batches.id', 'payout_items.batch_id')
    .selectAll('payout_items')
    .select('payout_batches.sender_batch_id')
    .where('payout_items.id', '=', itemId)
    .where('payout_items.client_id', '=', clientId)
    .executeTakeFirst();
  if (found === undefined) throw new ApiError('INVALID_RESOURCE_ID');
  return describeItem(found, found.sender_batch_id, links);
}

async function listItems(
  database: Kysely<Tables>,
  links: Links,
  batch: PayoutBatchRow,
  { page, page_size }: PayoutGetQuery,
): Promise<object[]> {
  const first = (page - 1) * page_size;
  const items = await database
    .selectFrom('payout_items')
    .selectAll()
    .where('batch_id', '=', batch.id)
    .where('position', '>=', first)
    .where('position', '<', first + page_size)
    .orderBy('position')
    .execute();
  return items.map((item) => describeListedItem(item, links));
}

function pageLinks(
  links: Links,
  batch: PayoutBatchRow,
  { page, page_size, total_required, fields }: PayoutGetQuery,
  pages: number,
): Link[] {
  const self = batchLink(links, batch.id, 'self');
  const asked = `${total_required ? '&total_required=true' : ''}${fields ? `&fields=${fields.join()}` : ''}`;
  const pageLink = (rel: 'next' | 'prev', number: number): Link => {
    return { ...self, rel, href: `${self.href}?page_size=${page_size}&page=${number}${asked}` };
  };
  return [
    self,
    ...(page < pages ? [pageLink('next', page + 1)] : []),
    ...(page > 1 && page <= pages + 1 ? [pageLink('prev', page - 1)] : []),
  ];
}
