import type { PayoutBatchRow, PayoutItemRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { writeAmount } from '../money/amount.js';
import { ITEM_ERRORS, type ItemErrorName } from './item-outcome.js';

const batchPath = (id: string) => `/v1/payments/payouts/${id}`;
const itemPath = (id: string) => `/v1/payments/payouts-item/${id}`;

export function batchLink(links: Links, batchId: string, rel: 'self' | 'batch'): Link {
  return links.to(rel, 'GET', batchPath(batchId));
}

/** A batch that has been accepted, as the answer to its creation. */
export function describeAcceptedBatch(batch: PayoutBatchRow, links: Links): object {
  return {
    batch_header: {
      payout_batch_id: batch.id,
      batch_status: batch.status,
      time_created: batch.created_at.toISOString(),
      sender_batch_header: batch.sender_batch_header,
    },
    links: [batchLink(links, batch.id, 'self')],
  };
}

export function describeBatchHeader(batch: PayoutBatchRow): object {
  return {
    payout_batch_id: batch.id,
    batch_status: batch.status,
    time_created: batch.created_at.toISOString(),
    ...(batch.completed_at !== null && { time_completed: batch.completed_at.toISOString() }),
    sender_batch_header: batch.sender_batch_header,
    funding_source: 'BALANCE',
    amount: { currency: batch.currency, value: writeAmount(batch.amount_minor, batch.currency) },
    fees: noFee(batch.currency),
  };
}

/** The resource of a batch's events: without its items, of which there may be 15,000. */
export function describeBatchEvent(batch: PayoutBatchRow, links: Links): object {
  return { batch_header: describeBatchHeader(batch), links: [batchLink(links, batch.id, 'self')] };
}

/** An item as its batch lists it. */
export function describeListedItem(item: PayoutItemRow, links: Links): object {
  return { ...membersOf(item), links: [links.to('item', 'GET', itemPath(item.id))] };
}

/** An item as answered by itself, and as the resource of its events. */
export function describeItem(item: PayoutItemRow, senderBatchId: string | null, links: Links): object {
  const isCancellable = item.status === 'UNCLAIMED';
  return {
    ...membersOf(item),
    ...(senderBatchId !== null && { sender_batch_id: senderBatchId }),
    links: [
      links.to('self', 'GET', itemPath(item.id)),
      batchLink(links, item.batch_id, 'batch'),
      ...(isCancellable ? [links.to('cancel', 'POST', `${itemPath(item.id)}/cancel`)] : []),
    ],
  };
}

function membersOf(item: PayoutItemRow) {
  const { currency, note, sender_item_id, processed_at } = item;
  return {
    payout_item_id: item.id,
    // The transaction exists once the item was paid, or its payment was tried.
    ...(processed_at !== null && { transaction_id: item.transaction_id }),
    transaction_status: item.status,
    payout_item_fee: noFee(currency),
    payout_batch_id: item.batch_id,
    payout_item: {
      recipient_type: item.recipient_type,
      amount: { currency, value: writeAmount(item.amount_minor, currency) },
      ...(note !== null && { note }),
      receiver: item.receiver,
      ...(sender_item_id !== null && { sender_item_id }),
      ...item.echoed,
    },
    ...(processed_at !== null && { time_processed: item.updated_at.toISOString() }),
    ...(item.error_name !== null && { errors: describeItemError(item) }),
  };
}

function describeItemError({ id, error_name: name }: PayoutItemRow): object {
  return {
    name,
    message: isItemError(name) ? ITEM_ERRORS[name] : 'Unknown',
    debug_id: id,
    information_link: `https://developer.paypal.com/docs/api/payments.payouts-batch/v1/#error-${name}`,
  };
}

function isItemError(name: string | null): name is ItemErrorName {
  return name !== null && Object.hasOwn(ITEM_ERRORS, name);
}

/** The service charges nothing. */
function noFee(currency: string) {
  return { currency, value: writeAmount(0, currency) };
}
