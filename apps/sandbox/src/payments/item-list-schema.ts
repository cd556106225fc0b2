import { z } from 'zod';
import { boundedArray } from '../http/bounded-array.js';
import { orAbsent } from '../http/validation.js';
import { readAmount, writeSigned } from '../money/amount.js';
import type { ReadAmount } from '../money/amount-schema.js';
import { shippingAddressSchema } from './address-schema.js';

const text = (longest: number) => z.string().max(longest);
/** The public API shortens a longer one. */
export const cutText = (longest: number) => z.string().transform((whole) => whole.slice(0, longest));

const signedDecimal = text(11).regex(/^-?\d{1,10}(\.\d{1,3})?$/, 'Must be a decimal number');

const item = z.strictObject({
  sku: text(127).optional(),
  name: cutText(127).optional(),
  description: cutText(127).optional(),
  quantity: z
    .union([z.string(), z.int().nonnegative().transform(String)])
    .pipe(z.string().regex(/^\d{1,10}$/, 'Must be a whole number')),
  /** Negative for a discount. */
  price: signedDecimal,
  currency: z.string().length(3),
  tax: signedDecimal.optional(),
  url: text(2048).optional(),
  category: orAbsent(z.enum(['DIGITAL', 'PHYSICAL'])),
});

export const itemListSchema = z.strictObject({
  items: boundedArray(item, 0, 1_000).optional(),
  shipping_address: shippingAddressSchema.optional(),
  shipping_method: text(255).optional(),
  shipping_phone_number: text(50).optional(),
});

export type ItemList = z.output<typeof itemListSchema>;

export interface ItemIssue {
  path: (string | number)[];
  message: string;
}

/**
 * Compares the items with the amount: their prices times their quantities are the subtotal, or the total of an amount
 * without details. Returns the list with every price in the currency's decimals, or what is wrong.
 */
export function checkItems(list: ItemList, amount: ReadAmount): { list: ItemList } | ItemIssue {
  if (list.items === undefined) return { list };
  const items: NonNullable<ItemList['items']> = [];
  let sum = 0n;
  for (const [index, one] of list.items.entries()) {
    const refuse = (field: string, message: string): ItemIssue => ({
      path: ['item_list', 'items', index, field],
      message,
    });
    if (one.currency !== amount.currency) return refuse('currency', 'Must be the currency of the amount');
    const price = readSigned(one.price, one.currency);
    if ('issue' in price) return refuse('price', price.issue);
    const tax = readSigned(one.tax ?? '0', one.currency);
    if ('issue' in tax) return refuse('tax', tax.issue);
    sum += BigInt(price.minor) * BigInt(one.quantity);
    items.push({
      ...one,
      price: writeSigned(price.minor, one.currency),
      ...(one.tax !== undefined && { tax: writeSigned(tax.minor, one.currency) }),
    });
  }
  if (items.length > 0 && sum !== BigInt(subtotalOf(amount))) {
    return {
      path: ['item_list', 'items'],
      message: 'Item amounts must add up to the subtotal, or to the total of an amount without details',
    };
  }
  return { list: { ...list, items } };
}

function subtotalOf(amount: ReadAmount): number {
  return Object.keys(amount.details).length === 0 ? amount.minor : (amount.details['subtotal'] ?? 0);
}

function readSigned(decimal: string, currency: string) {
  const isNegative = decimal.startsWith('-');
  const read = readAmount(isNegative ? decimal.slice(1) : decimal, currency);
  return 'issue' in read || !isNegative ? read : { minor: -read.minor };
}
