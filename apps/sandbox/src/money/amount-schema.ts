import { z } from 'zod';
import { readAmount } from './amount.js';

const decimal = z.string().max(10);

const amountDetails = z.strictObject({
  subtotal: decimal.optional(),
  shipping: decimal.optional(),
  tax: decimal.optional(),
  handling_fee: decimal.optional(),
  insurance: decimal.optional(),
  gift_wrap: decimal.optional(),
  shipping_discount: decimal.optional(),
});

export interface ReadAmount {
  minor: number;
  currency: string;
  /** Minor units by detail, a discount with the sign it came with; empty when the request gave none. */
  details: Record<string, number>;
}

/** An amount of the interface: with its currency's decimals, more than zero, and equal to its details. */
export const amountSchema = z
  .strictObject({ total: decimal, currency: z.string().length(3), details: amountDetails.optional() })
  .transform((amount, refinement): ReadAmount => {
    const refuse = (field: string[], message: string) => {
      refinement.addIssue({ code: 'custom', path: field, message });
      return z.NEVER;
    };
    const total = readAmount(amount.total, amount.currency);
    if ('issue' in total)
      return refuse([total.issue.startsWith('Currency') ? 'currency' : 'total'], total.issue);
    if (total.minor === 0) return refuse(['total'], 'Must be more than zero');

    const details: Record<string, number> = {};
    for (const [name, text = '0'] of Object.entries(amount.details ?? {})) {
      const isNegative = name === 'shipping_discount' && text.startsWith('-');
      const part = readAmount(isNegative ? text.slice(1) : text, amount.currency);
      if ('issue' in part) return refuse(['details', name], part.issue);
      details[name] = isNegative ? -part.minor : part.minor;
    }
    if (Object.keys(details).length > 0 && !sumsOf(details).includes(total.minor)) {
      return refuse(
        ['total'],
        'Transaction amount details (subtotal, tax, shipping) must add up to specified amount total',
      );
    }
    return { minor: total.minor, currency: amount.currency, details };
  });

/**
 * The possible sums of the details. The public API's own examples write the discount with a minus sign and without, and
 * its recorded service added a positive one as well as subtracted it: so only a negative one is unambiguous.
 */
function sumsOf({ shipping_discount: discount = 0, ...added }: Record<string, number>): number[] {
  const sum = Object.values(added).reduce((total, part) => total + part, 0);
  return discount < 0 ? [sum + discount] : [sum - discount, sum + discount];
}
