import type { WaitPolicy } from './lifecycle.js';

/** Beyond so many doublings every wait is the longest one, and numbers stay exact. */
const mostDoublings = 30;

/** Each wait is twice as long as the one before, up to the longest. Milliseconds. */
export function wideningWait(
  firstMs: number,
  { longestPollMs }: Pick<WaitPolicy, 'longestPollMs'>,
  before: number,
): number {
  return Math.min(longestPollMs, firstMs * 2 ** Math.min(before, mostDoublings));
}

/** How long the next poll waits after so many vain ones. */
export function pollWait(patience: WaitPolicy, polls: number): number {
  return wideningWait(patience.firstPollMs, patience, polls);
}
