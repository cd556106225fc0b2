import { z } from 'zod';
import { fromMinorUnits, toMinorUnits } from '../money.js';

/*
 * What we send is checked strictly, unknown keys included: a misspelt `isFinalCapture` must not go out as a
 * capture that is not final.
 */

const money = z.strictObject({ value: z.string().max(24), currency: z.string() });

/** A positive amount, sent with exactly its currency's decimals (JPY none, KWD three). */
export const sentTotal = money.transform((amount, context) => {
  try {
    const minorUnits = toMinorUnits(amount);
    if (minorUnits <= 0n) throw new RangeError('must be positive');
    const { value, currency } = fromMinorUnits(minorUnits, amount.currency);
    return { total: value, currency };
  } catch (error) {
    context.addIssue({ code: 'custom', message: error instanceof RangeError ? error.message : 'no amount' });
    return z.NEVER;
  }
});

/** Own references: provider-facts, "Idempotency and tokens". */
export const reference = z.string().min(1).max(127);

export const webAddress = z
  .string()
  .max(2048)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'not a web address');
