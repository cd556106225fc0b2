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
 * An error that the provider itself has written: it has a name, or of a refused token an OAuth code. What a gateway
 * writes instead has neither.
 */
export const providerError = z.union([
  z.object({ name: z.string().regex(/^[A-Za-z][\w.-]{0,63}$/) }),
  z.object({ error: z.string().regex(/^[a-z]+(_[a-z]+)+$/) }),
]);
