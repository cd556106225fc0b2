import type { Transaction } from 'kysely';
import type { SaleRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeSale } from './sale-representation.js';

const EVENT_OF_TRANSITION = {
  pending: 'PAYMENT.SALE.PENDING',
  completed: 'PAYMENT.SALE.COMPLETED',
  denied: 'PAYMENT.SALE.DENIED',
  reversed: 'PAYMENT.SALE.REVERSED',
} as const;

/** Records the event of a sale's change; its resource is the sale in its present state. */
export function recordSaleEvent(
  transaction: Transaction<Tables>,
  sale: SaleRow,
  transition: keyof typeof EVENT_OF_TRANSITION,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: EVENT_OF_TRANSITION[transition],
    clientId: sale.client_id,
    resourceId: sale.id,
    resource: describeSale(sale, links),
    now,
  });
}
