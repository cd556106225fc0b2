import { z } from 'zod';
import { hasCardNumber, hasEmail } from '#database/text';
import { text } from './fields.js';

const mostKeys = 50;

/** Names and values that an order service keeps with what it orders. */
export const metadata = z
  .record(
    z
      .string()
      .regex(/^[A-Za-z0-9_.-]{1,40}$/, 'must have names of 1 to 40 letters, digits and _ . -')
      .refine((name) => !hasCardNumber(name), 'must not have a payment card number as a name'),
    text(500).refine((value) => !hasEmail(value), 'must not hold an e-mail address'),
  )
  .refine((given) => Object.keys(given).length <= mostKeys, `must have at most ${mostKeys} names`)
  .meta({
    description:
      'Names and values of your own, at most 50. They are shown with it and in its notifications, and never sent to the provider. They are stored as they are, so they must not hold private data.',
    maxProperties: mostKeys,
    example: { basket: '7' },
  });

export const shownMetadata = z
  .record(z.string(), z.string())
  .meta({ description: 'The names and values that were given with the order.' });
