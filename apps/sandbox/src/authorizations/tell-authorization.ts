import type { Transaction } from 'kysely';
import type { AuthorizationRow, PaymentRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeAuthorization } from './authorization-representation.js';

const EVENT_OF_TRANSITION = {
  /** Made, pending or not; holding, after it was pending; renewed. */
  created: 'PAYMENT.AUTHORIZATION.CREATED',
  /** Voided, expired or denied: the public API has one name for all. */
  voided: 'PAYMENT.AUTHORIZATION.VOIDED',
} as const;

/** Tells what an authorization has become; the resource is the authorization as it stands now. */
export function tellAuthorization(
  transaction: Transaction<Tables>,
  authorization: AuthorizationRow,
  payment: PaymentRow,
  transition: keyof typeof EVENT_OF_TRANSITION,
  links: Links,
  now: Date,
): Promise<void> {
  return recordEvent(transaction, {
    type: EVENT_OF_TRANSITION[transition],
    clientId: authorization.client_id,
    resourceId: authorization.id,
    resource: describeAuthorization(authorization, payment, links, now),
    now,
  });
}
