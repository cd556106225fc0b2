import type { Transaction } from 'kysely';
import type { AuthorizationRow, PaymentRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeAuthorization } from './authorization-representation.js';

/** Tells that an authorization was made, pending or not, that a pending one holds now, or that one was renewed. */
export function tellAuthorized(
  transaction: Transaction<Tables>,
  authorization: AuthorizationRow,
  payment: PaymentRow,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: 'PAYMENT.AUTHORIZATION.CREATED',
    clientId: authorization.client_id,
    resourceId: authorization.id,
    resource: describeAuthorization(authorization, payment, links, now),
    now,
  });
}
