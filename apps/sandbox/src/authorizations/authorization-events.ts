import type { Transaction } from 'kysely';
import type { AuthorizationRow, PaymentRow, Tables } from '../database/tables.js';
import { recordEvent } from '../events/record-event.js';
import type { Links } from '../http/links.js';
import { describeAuthorization } from './authorization-representation.js';

const EVENT_OF_TRANSITION = {
  /** Created, pending or not; held, after it was pending; reauthorized. */
  created: 'PAYMENT.AUTHORIZATION.CREATED',
  /** Voided, expired or denied: the public API has one name for all. */
  voided: 'PAYMENT.AUTHORIZATION.VOIDED',
} as const;

/** Records the event of an authorization's change; its resource is the authorization in its present state. */
export function recordAuthorizationEvent(
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
