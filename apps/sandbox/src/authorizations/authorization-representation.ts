import type { AuthorizationRow, PaymentRow } from '../database/tables.js';
import type { Link, Links } from '../http/links.js';
import { describeAmount } from '../money/payment-amount.js';
import { openMinor } from './held-money.js';

/** An authorization as answered and as the resource of its events (interface, section 2.4). */
export function describeAuthorization(
  authorization: AuthorizationRow,
  payment: PaymentRow,
  links: Links,
  now: Date,
): object {
  return {
    id: authorization.id,
    create_time: authorization.created_at.toISOString(),
    update_time: authorization.updated_at.toISOString(),
    state: authorization.state,
    ...(authorization.state === 'pending' && { reason_code: 'AUTHORIZATION' }),
    amount: describeAuthorizedAmount(authorization, payment),
    parent_payment: payment.id,
    // A recorded answer for a voided authorization does not have it.
    ...(authorization.state !== 'voided' && { valid_until: authorization.valid_until.toISOString() }),
    links: nextStepsOf(authorization, payment, links, now),
  };
}

/**
 * The possible next calls. Section 2.3 gives four rels for an authorization; the public `reauthorize` is added only
 * once the honour period is over, when that call can succeed.
 */
export function nextStepsOf(
  authorization: AuthorizationRow,
  payment: PaymentRow,
  links: Links,
  now: Date,
): Link[] {
  const { id, state } = authorization;
  const isOpen = state === 'authorized' || state === 'partially_captured';
  return [
    links.authorization(id, 'self'),
    ...(isOpen ? [links.captureAuthorization(id), links.voidAuthorization(id)] : []),
    ...(isOpen && isReauthorizable(authorization, payment, now)
      ? [links.to('reauthorize', 'POST', `/v1/payments/authorization/${id}/reauthorize`)]
      : []),
    links.parentPayment(authorization.payment_id),
  ];
}

/** The payment's own amount until a reauthorization; then what was captured plus what is held since. */
function describeAuthorizedAmount(authorization: AuthorizationRow, payment: PaymentRow): object {
  if (authorization.renewals === 0 && authorization.parent_id === null) return describeAmount(payment);
  const amount_minor = authorization.amount_minor - authorization.renewed_minor;
  return describeAmount({ amount_minor, currency: authorization.currency, amount_details: {} });
}

/** An application that may reauthorize several times builds the later addresses itself. */
function isReauthorizable(authorization: AuthorizationRow, payment: PaymentRow, now: Date): boolean {
  return (
    payment.payment_method !== 'credit_card' &&
    authorization.renewals === 0 &&
    authorization.parent_id === null &&
    authorization.honored_until <= now &&
    now < authorization.valid_until &&
    !authorization.closing &&
    openMinor(authorization) > 0
  );
}
