import { z } from 'zod';
import { type Money, formatMoney } from '#workflows/lifecycle';
import { type AmountDetails, amountParts, sumOfDetails } from '#workflows/lifecycle/payment';
import { decimal, longestAmount, minorIn } from '../wire/wire-money.js';

const part = (description: string) =>
  z
    .string()
    .max(20)
    .meta({ description, pattern: decimal, examples: ['10.00'] });

const parts = {
  subtotal: part('The goods, before everything else.'),
  shipping: part('The shipping fee.').optional(),
  tax: part('The tax.').optional(),
  handlingFee: part('The handling fee.').optional(),
  insurance: part('The insurance fee.').optional(),
  giftWrap: part('The fee for the gift wrap.').optional(),
  shippingDiscount: part('Taken off.').optional(),
};

/** The provider limits the characters of an amount, and the discount is sent with a minus sign. */
const longest: { readonly [part in keyof AmountDetails]?: number } = { shippingDiscount: longestAmount - 1 };

export const requestedDetails = z.strictObject(parts);

export const shownDetails = z.object(parts).meta({ id: 'AmountDetails' });

/** The parts in minor units. Reports an issue for a part that is no amount of the currency, and for a wrong sum. */
export function detailsIn(
  amount: Money,
  given: z.output<typeof requestedDetails>,
  context: z.core.$RefinementCtx,
): AmountDetails {
  const read = amountParts.flatMap((name) => {
    const value = given[name];
    return value === undefined
      ? []
      : [[name, minorIn(amount.currency, value, ['amountDetails', name], context, longest[name])] as const];
  });
  const details: AmountDetails = { subtotal: 0, ...Object.fromEntries(read) };
  const sum = sumOfDetails(details);
  if (!Number.isNaN(sum) && sum !== amount.minor) {
    context.addIssue({ code: 'custom', path: ['amountDetails'], message: messageOf(sum, amount) });
  }
  return details;
}

function messageOf(sum: number, amount: Money): string {
  const added = sum < 0 ? 'a negative amount' : formatMoney({ minor: sum, currency: amount.currency });
  return `must add up to the amount ${formatMoney(amount)}, not to ${added}`;
}
