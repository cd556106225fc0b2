import type { PaymentRow, SaleRow } from '../database/tables.js';
import { writeAmount, writeSigned } from './amount.js';

/** An amount with its details as the request gave them; without any, all of it is the subtotal. */
export function describeAmount(
  collected: Pick<PaymentRow | SaleRow, 'amount_minor' | 'currency' | 'amount_details'>,
): { total: string; currency: string; details: Record<string, string> } {
  const { amount_minor: minor, currency, amount_details: given } = collected;
  const details = Object.keys(given).length > 0 ? given : { subtotal: minor };
  return {
    total: writeAmount(minor, currency),
    currency,
    details: Object.fromEntries(
      Object.entries(details).map(([name, part]) => [name, writeSigned(part, currency)]),
    ),
  };
}
