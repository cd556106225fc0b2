import type { Transaction } from 'kysely';
import type { RefundRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeRefund } from './refund-representation.js';

/**
 * Told once the money has gone back: the public API has no event for a refund that is pending, failed or cancelled, so
 * those are seen by reading the refund.
 */
export function tellRefunded(
  transaction: Transaction<Tables>,
  refund: RefundRow,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: refund.sale_id === null ? 'PAYMENT.CAPTURE.REFUNDED' : 'PAYMENT.SALE.REFUNDED',
    clientId: refund.client_id,
    resourceId: refund.id,
    resource: describeRefund(refund, links),
    now,
  });
}
