import { formatMoney } from '../money.js';

/** The parts of the ordered amount, in minor units of its currency. Together, less the discount, they are the amount. */
export interface AmountDetails {
  readonly subtotal: number;
  readonly shipping?: number;
  readonly tax?: number;
  readonly handlingFee?: number;
  readonly insurance?: number;
  readonly giftWrap?: number;
  /** Positive; it is taken off. */
  readonly shippingDiscount?: number;
}

export const amountParts = [
  'subtotal',
  'shipping',
  'tax',
  'handlingFee',
  'insurance',
  'giftWrap',
  'shippingDiscount',
] as const satisfies readonly (keyof AmountDetails)[];

export function sumOfDetails({ shippingDiscount = 0, ...added }: AmountDetails): number {
  return Object.values(added).reduce((sum, part: number) => sum + part, 0) - shippingDiscount;
}

/** As decimals: a request, the answer and the call to the provider have them so. */
export function writeDetails(
  details: AmountDetails,
  currency: string,
): { readonly [part in keyof AmountDetails]: string } {
  const written = amountParts.flatMap((part) => {
    const minor = details[part];
    return minor === undefined ? [] : [[part, formatMoney({ minor, currency })] as const];
  });
  return { subtotal: '', ...Object.fromEntries(written) };
}
