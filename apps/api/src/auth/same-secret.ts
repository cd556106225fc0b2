import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/**
 * Compares secrets in constant time: the duration reveals neither a matching prefix nor the length of the expected one.
 */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** As rows keep it. */
export function hashOf(text: string): string {
  return sha256(text).toString('hex');
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
