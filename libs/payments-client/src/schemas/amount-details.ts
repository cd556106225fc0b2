import { z } from 'zod';
import { fromMinorUnits, toMinorUnits } from '../money.js';

/** The parts of an amount, as decimals in its currency. Together, less the discount, they are the amount. */
export interface AmountDetails {
  readonly subtotal: string;
  readonly shipping?: string | undefined;
  readonly tax?: string | undefined;
  readonly handlingFee?: string | undefined;
  readonly insurance?: string | undefined;
  readonly giftWrap?: string | undefined;
  /** A positive number; it is taken off. */
  readonly shippingDiscount?: string | undefined;
}

const part = z.string().max(24);

export const amountDetails = z.strictObject({
  subtotal: part,
  shipping: part.optional(),
  tax: part.optional(),
  handlingFee: part.optional(),
  insurance: part.optional(),
  giftWrap: part.optional(),
  shippingDiscount: part.optional(),
});

/** The provider's names. A negative discount is the only one whose meaning is certain (docs/provider.md). */
const wireNames = {
  subtotal: 'subtotal',
  shipping: 'shipping',
  tax: 'tax',
  handlingFee: 'handling_fee',
  insurance: 'insurance',
  giftWrap: 'gift_wrap',
  shippingDiscount: 'shipping_discount',
} as const satisfies Record<keyof AmountDetails, string>;

/** @throws RangeError for a part that is no amount, is negative, or if the parts do not add up. */
export function spellDetails(
  details: AmountDetails,
  { total, currency }: { readonly total: string; readonly currency: string },
): Record<string, string> {
  const spelt: Record<string, string> = {};
  let sum = 0n;
  for (const [name, wireName] of Object.entries(wireNames) as [keyof AmountDetails, string][]) {
    const value = details[name];
    if (value === undefined) continue;
    const minor = toMinorUnits({ value, currency });
    if (minor < 0n) throw new RangeError(`${name} must not be negative`);
    const signed = name === 'shippingDiscount' ? -minor : minor;
    sum += signed;
    spelt[wireName] = fromMinorUnits(signed, currency).value;
  }
  if (sum !== toMinorUnits({ value: total, currency })) throw new RangeError('must add up to the amount');
  return spelt;
}
