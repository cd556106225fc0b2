import type { PaymentRow } from '../database/tables.js';
import { writeAmount } from '../money/amount.js';

/** An amount with its details as the payment's request gave them; without any, all of it is the subtotal. */
export function describeAmount(payment: PaymentRow): object {
  const { amount_minor: minor, currency, amount_details: given } = payment;
  const details = Object.keys(given).length > 0 ? given : { subtotal: minor };
  return {
    total: writeAmount(minor, currency),
    currency,
    details: Object.fromEntries(
      Object.entries(details).map(([name, part]) => [name, writeAmount(part, currency)]),
    ),
  };
}
