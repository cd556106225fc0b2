import { z } from 'zod';
import { addressSchema } from './address-schema.js';

/** How numbers of each type begin. */
const PREFIX_OF_TYPE = {
  visa: /^4/,
  mastercard: /^(5[1-5]|2[2-7])/,
  amex: /^3[47]/,
  discover: /^6/,
  maestro: /^(5[06-9]|6)/,
} as const;

/** Test numbers of this service whose issuer always declines. */
const DECLINED_NUMBERS: ReadonlySet<string> = new Set([
  '4000000000000002',
  '5100000000000008',
  '370000000000002',
]);

const digits = (pattern: RegExp, issue: string) =>
  z.union([z.string(), z.int().nonnegative().transform(String)]).pipe(z.string().regex(pattern, issue));

const cardName = z.string().max(140).optional();

/** A card as it is stored and shown: its number masked except the last four digits, without its cvv2. */
export interface MaskedCard {
  type: string;
  number: string;
  expire_month: string;
  expire_year: string;
  first_name?: string | undefined;
  last_name?: string | undefined;
  billing_address?: z.output<typeof addressSchema> | undefined;
}

export interface ReadCard {
  masked: MaskedCard;
  /** The instant from which it is expired: the end of its month. */
  expiresAt: Date;
  isDeclinedNumber: boolean;
}

/** A direct card. The output of this schema has neither the full number nor the cvv2: neither is ever stored. */
export const cardSchema = z
  .strictObject({
    type: z.enum(Object.keys(PREFIX_OF_TYPE) as [keyof typeof PREFIX_OF_TYPE]),
    number: z.string().regex(/^\d{12,19}$/, 'Must be 12 to 19 digits'),
    expire_month: digits(/^(0?[1-9]|1[0-2])$/, 'Must be a month from 1 to 12'),
    expire_year: digits(/^\d{4}$/, 'Must be a year of four digits'),
    cvv2: digits(/^\d{3,4}$/, 'Must be 3 or 4 digits').optional(),
    first_name: cardName,
    last_name: cardName,
    billing_address: addressSchema.optional(),
  })
  .transform(({ number, cvv2, ...shown }, refinement): ReadCard => {
    const refuse = (field: string, message: string) =>
      refinement.addIssue({ code: 'custom', path: [field], message });
    if (!hasCheckDigit(number)) refuse('number', 'Is not a card number');
    else if (!PREFIX_OF_TYPE[shown.type].test(number)) refuse('type', 'Does not match the number');
    if (cvv2 !== undefined && cvv2.length !== (shown.type === 'amex' ? 4 : 3)) {
      refuse('cvv2', `Has ${shown.type === 'amex' ? 4 : 3} digits on a card of this type`);
    }
    return {
      masked: { ...shown, number: 'x'.repeat(number.length - 4) + number.slice(-4) },
      expiresAt: new Date(Date.UTC(Number(shown.expire_year), Number(shown.expire_month))),
      isDeclinedNumber: DECLINED_NUMBERS.has(number),
    };
  });

/** ISO/IEC 7812: every second digit from the right is doubled, and the digits add up to a multiple of ten. */
function hasCheckDigit(number: string): boolean {
  let sum = 0;
  for (let place = 0; place < number.length; place += 1) {
    const digit = Number(number.at(-1 - place));
    const counted = place % 2 === 0 ? digit : digit * 2;
    sum += counted > 9 ? counted - 9 : counted;
  }
  return sum % 10 === 0;
}
