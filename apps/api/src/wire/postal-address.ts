import { z } from 'zod';
import type { PostalAddress } from '#workflows/contract';
import { text } from './fields.js';

/** The lengths are the provider's (specification 2.6). */
const fields = {
  line1: text(300).meta({ description: 'Street and number.', examples: ['1 Main Street'] }),
  line2: text(300).optional().meta({ description: 'Apartment, floor or the like.' }),
  city: text(64).optional().meta({ description: 'City or town.' }),
  state: text(300).optional().meta({ description: 'State, province or region.' }),
  postalCode: text(60).optional().meta({ description: 'ZIP or postal code.' }),
  countryCode: z
    .string()
    .regex(/^[A-Z]{2}$/, 'must be a two-letter ISO 3166-1 code')
    .meta({ description: 'ISO 3166-1, two letters.', examples: ['US'] }),
};

/** An address in a request. */
export const postalAddress: z.ZodType<PostalAddress> = z.strictObject(fields).meta({ id: 'PostalAddress' });

/** Where a purchase is sent. */
export const shippingAddress = z
  .strictObject({
    recipientName: text(127).optional().meta({ description: 'Who gets it; the payer when absent.' }),
    ...fields,
  })
  .meta({ id: 'ShippingAddress' });
