import type { Transaction } from 'kysely';
import type { RefundRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeRefund } from './refund-representation.js';

/**
 * Recorded once the money was refunded: the public API has no event for a refund that is pending, failed or cancelled;
 * only a read of the refund shows those.
 */
export function recordRefundEvent(
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
