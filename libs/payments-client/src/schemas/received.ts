import { z } from 'zod';
import type { Amount } from '../money.js';

/*
 * What we receive is read tolerantly: unknown fields are dropped, unknown enum values pass, null is absence.
 * Only what the interface promises is required, because a refused answer to a POST means a doubt about money.
 */

/** A value of an enum that the provider may widen at any time. */
export type Open<Known extends string> = Known | (string & {});

export const openEnum = <Known extends string>(): z.ZodType<Open<Known>> => z.string();

/** Ids hold letters, digits, hyphens (provider-facts, "Traps"); the bound keeps garbage out of our rows. */
export const resourceId = z.string().regex(/^[A-Za-z0-9][\w-]{0,127}$/);

/*
 * Optional fields are only checked here, and settled by the transform of the object they stand in: a transform
 * of its own for every field would double the cost of reading an answer.
 */

export const optionalText = z.string().nullish();

/** Anything at all; `instantOf` makes sense of it. */
export const optionalInstant = z.unknown().optional();

/**
 * An ISO 8601 instant, if it is one. An unreadable one counts as absent: it must not turn a success into an
 * unknown outcome, nor become a deadline.
 */
export function instantOf(value: unknown): string | undefined {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined;
}

export const currency = z.string().regex(/^[A-Z]{3}$/);

/** `{total, currency}` (2.1, 2.4). A refund's total may carry a minus. */
export const totalAmount = z
  .object({ total: z.string().regex(/^-?\d{1,18}(\.\d{1,8})?$/), currency })
  .transform(({ total, currency }): Amount => ({ value: total, currency }));
