import { z } from 'zod';
import { countryCode, orAbsent } from '../http/validation.js';

const addressFields = {
  line1: z.string().min(1).max(300),
  line2: z.string().max(300).optional(),
  city: z.string().max(64).optional(),
  state: z.string().max(300).optional(),
  postal_code: z.string().max(60).optional(),
  country_code: countryCode,
  phone: z.string().max(50).optional(),
  type: z.string().max(50).optional(),
  normalization_status: orAbsent(
    z.enum(['UNKNOWN', 'UNNORMALIZED_USER_PREFERRED', 'NORMALIZED', 'UNNORMALIZED']),
  ),
};

/** An address of the public API: of a card’s bill, or of a payer. */
export const addressSchema = z.strictObject(addressFields);

export const shippingAddressSchema = z.strictObject({
  recipient_name: z.string().max(127).optional(),
  ...addressFields,
});
