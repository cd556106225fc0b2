import { z } from 'zod';
import { type Link, links } from './link.js';

/** Unifies the documented error shape and the token endpoint's `{error}`. Every field may be missing. */
export interface ErrorBody {
  readonly name: string | undefined;
  readonly debugId: string | undefined;
  readonly details: readonly { readonly field: string; readonly issue: string }[];
}

const EMPTY: ErrorBody = { name: undefined, debugId: undefined, details: [] };

const text = z.string().nullish().catch(undefined);

export const errorBody: z.ZodType<ErrorBody> = z
  .object({
    name: text,
    error: text,
    debug_id: text,
    details: z
      .array(z.object({ field: text, issue: text }))
      .nullish()
      .catch(undefined),
  })
  .transform((wire): ErrorBody => ({
    name: wire.name ?? wire.error ?? undefined,
    debugId: wire.debug_id ?? undefined,
    details: (wire.details ?? []).map(({ field, issue }) => ({ field: field ?? '', issue: issue ?? '' })),
  }))
  .catch(EMPTY);

/** To what may be looked at instead; read apart, because only few errors have them. */
export const errorLinks: z.ZodType<readonly Link[]> = z
  .object({ links })
  .transform((wire) => wire.links ?? [])
  .catch([]);

/**
 * An error that the provider itself has written: it has a name in the provider's spelling, such as `VALIDATION_ERROR`.
 * Gateways write JSON as well, with names and codes of their own: `BadRequestError`, `{"error":"access_denied"}`.
 */
export const providerError = z.object({
  name: z
    .string()
    .regex(/^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/)
    .max(64),
});

/** An error of the call for a token (RFC 6749, section 5.2). */
export const tokenError = z.union([
  providerError,
  z.object({ error: z.string().regex(/^[a-z]+(_[a-z]+)+$/) }),
]);

/** A token that any other call refuses (RFC 6750, section 3.1). */
export const refusedToken = z.union([providerError, z.object({ error: z.literal('invalid_token') })]);
