import { z } from 'zod';
import { fromMinorUnits, toMinorUnits } from '../money.js';

/*
 * Requests are checked strictly, including unknown keys: a misspelt `isFinalCapture` must not be sent as a capture that
 * is not final.
 */

const money = z.strictObject({ value: z.string().max(24), currency: z.string() });

/** An amount from `least` minor units on, sent with exactly its currency's decimals (JPY none, KWD three). */
const sentFrom = (least: 0n | 1n) =>
  money.transform((amount, context) => {
    try {
      const minorUnits = toMinorUnits(amount);
      if (minorUnits < least)
        throw new RangeError(least === 1n ? 'must be positive' : 'must not be negative');
      return fromMinorUnits(minorUnits, amount.currency);
    } catch (error) {
      const message = error instanceof RangeError ? error.message : 'no amount';
      context.addIssue({ code: 'custom', message });
      return z.NEVER;
    }
  });

/** A positive `{value, currency}` (2.5; payouts). */
export const sentValue = sentFrom(1n);

/** For what may be free: a setup fee, a trial, what stays owed. */
export const sentValueOrZero = sentFrom(0n);

/** A positive `{total, currency}` (2.1). */
export const sentTotal = sentValue.transform(({ value, currency }) => ({ total: value, currency }));

/** For rules about several fields: they run only if each field is valid by itself. */
export const onlyIfFieldsAreValid = {
  when: ({ issues }: { readonly issues: readonly unknown[] }) => issues.length === 0,
};

/** Own references: provider-facts, "Idempotency and tokens". */
export const reference = z.string().min(1).max(127);

export const webAddress = z
  .string()
  .max(2048)
  .refine((text) => /^https?:\/\//i.test(text) && URL.canParse(text), 'not a web address');

/** An instant with its offset, sent in UTC (2.6). */
export const instant = z.iso
  .datetime({ offset: true })
  .transform((text) => new Date(text).toISOString().replace('.000Z', 'Z'));
