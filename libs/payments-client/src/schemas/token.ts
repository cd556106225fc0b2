import { z } from 'zod';

/** An access token (2.9). */
export interface AccessToken {
  readonly value: string;
  readonly lifetimeSeconds: number;
}

// The charset is RFC 6750's: the value goes into a header, where a line break would start another one.
export const accessToken: z.ZodType<AccessToken> = z
  .object({
    access_token: z.string().regex(/^[\w.~+/=-]{1,4096}$/),
    expires_in: z.coerce.number().positive(),
  })
  .transform((wire) => ({ value: wire.access_token, lifetimeSeconds: wire.expires_in }));
