import { hash, timingSafeEqual } from 'node:crypto';

/** Compares secrets without telling by its duration how much of one was right, nor how long the right one is. */
export function isSameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(sha256(given), sha256(expected));
}

export function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}
