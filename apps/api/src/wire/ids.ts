import { randomBytes } from 'node:crypto';
import { type SubjectKind, prefixOf, subjectKinds } from '#workflows/contract';

/** Crockford's base32 in lower case: sorts like the numbers it stands for, and reads without mistakes. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

export const paymentIdPattern = idPattern('payment');

/**
 * The order service's id of a payout item. It is sent to the provider and appears in URLs and histories, so the pattern
 * excludes e-mail addresses.
 */
export const itemIdPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,62}$/;

export function newId(kind: SubjectKind, now: number): string {
  return newTimedId(prefixOf(kind), now);
}

/** Not above any id of this kind that was made from this instant on, and above all earlier ones. */
export function leastId(kind: SubjectKind, instant: number): string {
  return `${prefixOf(kind)}${base32(BigInt(Math.max(0, instant)), 10)}`;
}

export function idPattern(kind: SubjectKind): RegExp {
  return timedIdPattern(prefixOf(kind));
}

/** The prefix, 48 bits of time, 128 random bits: sorts by age, cannot be guessed. */
export function newTimedId(prefix: string, now: number): string {
  const random = BigInt(`0x${randomBytes(16).toString('hex')}`);
  return `${prefix}${base32(BigInt(now), 10)}${base32(random, 26)}`;
}

export function timedIdPattern(prefix: string): RegExp {
  return new RegExp(`^${prefix}[0-9a-hjkmnp-tv-z]{36}$`);
}

/** An id of any kind. */
export const subjectIdPattern = new RegExp(subjectKinds.map((kind) => idPattern(kind).source).join('|'));

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = (digits[Number(rest & 31n)] ?? '') + text;
  return text;
}
