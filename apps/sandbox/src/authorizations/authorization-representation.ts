import type { AuthorizationRow, PaymentRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { describeAmount } from '../payments/payment-amount.js';

/** An authorization as answered and as the resource of its events (interface, section 2.4). */
export function describeAuthorization(
  authorization: AuthorizationRow,
  payment: PaymentRow,
  links: Links,
): object {
  return {
    id: authorization.id,
    create_time: authorization.created_at.toISOString(),
    update_time: authorization.updated_at.toISOString(),
    state: authorization.state,
    amount: describeAmount(payment),
    parent_payment: payment.id,
    // A voided authorization is recorded without it.
    ...(authorization.state !== 'voided' && { valid_until: authorization.valid_until.toISOString() }),
    links: nextStepsOf(authorization, links),
  };
}

export function nextStepsOf(authorization: AuthorizationRow, links: Links): Link[] {
  const { id, state } = authorization;
  const isOpen = state === 'authorized' || state === 'partially_captured';
  return [
    links.authorization(id, 'self'),
    ...(isOpen ? [links.captureAuthorization(id), links.voidAuthorization(id)] : []),
    links.parentPayment(authorization.payment_id),
  ];
}
