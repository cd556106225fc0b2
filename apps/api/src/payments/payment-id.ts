import { randomBytes } from 'node:crypto';

/** Crockford's base32 in lower case: sorts like the numbers it stands for, and reads without mistakes. */
const digits = '0123456789abcdefghjkmnpqrstvwxyz';

/** `pay_`, 48 bits of time, 128 random bits: sorts by age, cannot be guessed. */
export const paymentIdPattern = /^pay_[0-9a-hjkmnp-tv-z]{36}$/;

export function newPaymentId(now: number): string {
  return `pay_${base32(BigInt(now), 10)}${base32(BigInt(`0x${randomBytes(16).toString('hex')}`), 26)}`;
}

function base32(value: bigint, length: number): string {
  let text = '';
  for (let rest = value; text.length < length; rest >>= 5n) text = (digits[Number(rest & 31n)] ?? '') + text;
  return text;
}
