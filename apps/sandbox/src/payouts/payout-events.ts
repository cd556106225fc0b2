import type { Transaction } from 'kysely';
import type { PayoutBatchRow, PayoutItemRow, Tables } from '../database/tables.js';
import type { EventType } from '../events/event-types.js';
import { recordEvents } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeBatchEvent, describeItem } from './payout-representation.js';

type BatchEventType = Extract<EventType, `PAYMENT.PAYOUTSBATCH.${string}`>;

export function recordBatchEvent(
  transaction: Transaction<Tables>,
  type: BatchEventType,
  batch: PayoutBatchRow,
  links: Links,
  now: Date,
): Promise<void> {
  const resource = describeBatchEvent(batch, links);
  return recordEvents(transaction, [
    { type, clientId: batch.client_id, resourceId: batch.id, resource, now },
  ]);
}

export interface ItemEvent {
  type: EventType;
  item: PayoutItemRow;
}

export function recordItemEvents(
  transaction: Transaction<Tables>,
  itemEvents: readonly ItemEvent[],
  senderBatchId: string | null,
  links: Links,
  now: Date,
): Promise<void> {
  const events = itemEvents.map(({ type, item }) => {
    const resource = describeItem(item, senderBatchId, links);
    return { type, clientId: item.client_id, resourceId: item.id, resource, now };
  });
  return recordEvents(transaction, events);
}
