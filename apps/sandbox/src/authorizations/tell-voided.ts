import type { Transaction } from 'kysely';
import type { AuthorizationRow, PaymentRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeAuthorization } from './authorization-representation.js';

/** The event of an authorization that was voided, expired or denied: the public API has one name for all. */
export function tellVoided(
  transaction: Transaction<Tables>,
  authorization: AuthorizationRow,
  payment: PaymentRow,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: 'PAYMENT.AUTHORIZATION.VOIDED',
    clientId: authorization.client_id,
    resourceId: authorization.id,
    resource: describeAuthorization(authorization, payment, links, now),
    now,
  });
}
