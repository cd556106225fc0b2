import { z } from 'zod';
import type { Amount } from '../money.js';

/*
 * Answers are read tolerantly: unknown fields are dropped, unknown enum values pass, null means absent. Only promised
 * fields are required, because an unreadable answer to a POST is an unknown outcome.
 */

/** A value of an enum that the provider may widen at any time. */
export type Open<Known extends string> = Known | (string & {});

export const openEnum = <Known extends string>(): z.ZodType<Open<Known>> => z.string();

/** Ids hold letters, digits, hyphens (provider-facts, "Traps"); the bound keeps garbage out of our rows. */
export const resourceId = z.string().regex(/^[A-Za-z0-9][\w-]{0,127}$/);

/*
 * Optional fields are only checked here, and completed by the transform of the object they stand in: a transform
 * of its own for every field would double the cost of reading an answer.
 */

export const optionalText = z.string().nullish();

/** The id of another resource. What is no id counts as absent. */
export const optionalId = resourceId.nullish().catch(undefined);

/** Any value; `instantOf` reads it. */
export const optionalInstant = z.unknown().optional();

/** The usual form of an instant, which needs no parsing: on any day that every month has. */
const PLAIN_INSTANT =
  /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?Z$/;

/**
 * An ISO 8601 instant, if it is one. An unreadable one counts as absent: it must not turn a success into an
 * unknown outcome, nor become a deadline.
 */
export function instantOf(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  return PLAIN_INSTANT.test(value) || !Number.isNaN(Date.parse(value)) ? value : undefined;
}

/** Any value; `countOf` reads it. */
export const optionalCount = z.unknown().optional();

/** A whole number, which the interface carries in a string (2.5); an unreadable one counts as absent. */
export function countOf(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  return typeof text === 'string' && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/**
 * True if a page shows as many entries as it counts. A page without a list counts as empty only if its count says so:
 * missing entries would otherwise count as absent.
 */
export function isListed(list: readonly unknown[] | null | undefined, count: unknown): boolean {
  const counted = countOf(count);
  return list ? list.length >= (counted ?? 0) : counted === 0;
}

export const currency = z.string().regex(/^[A-Z]{3}$/);

const decimal = z.string().regex(/^-?\d{1,18}(\.\d{1,8})?$/);

/** `{total, currency}` (2.1, 2.4). A refund's total may carry a minus. */
export const totalAmount = z
  .object({ total: decimal, currency })
  .transform(({ total, currency }): Amount => ({ value: total, currency }));

/** `{value, currency}` (2.5): of plans, agreements and payouts. */
export const valueAmount: z.ZodType<Amount> = z.object({ value: decimal, currency });

/** An amount that only informs: an unreadable one counts as absent. */
export const optionalAmount = valueAmount.nullish().catch(undefined);
