import { z } from 'zod';

/** A postal address (2.6). */
export interface AddressRequest {
  readonly line1: string;
  readonly line2?: string | undefined;
  readonly city?: string | undefined;
  readonly state?: string | undefined;
  readonly postalCode?: string | undefined;
  /** Two letters. */
  readonly countryCode: string;
}

/** Where a purchase is sent. */
export interface ShippingAddressRequest extends AddressRequest {
  readonly recipientName?: string | undefined;
}

const fields = {
  line1: z.string().min(1).max(300),
  line2: z.string().max(300).optional(),
  city: z.string().max(64).optional(),
  state: z.string().max(300).optional(),
  postalCode: z.string().max(60).optional(),
  countryCode: z.string().regex(/^[A-Z]{2}$/, 'not a two-letter country code'),
};

export const postalAddress = z.strictObject(fields).transform(spellAddress);

export const shippingAddress = z
  .strictObject({ recipientName: z.string().max(127).optional(), ...fields })
  .transform(({ recipientName, ...address }) => ({
    ...spellAddress(address),
    recipient_name: recipientName,
  }));

function spellAddress({ postalCode, countryCode, ...rest }: AddressRequest) {
  return { ...rest, postal_code: postalCode, country_code: countryCode };
}
