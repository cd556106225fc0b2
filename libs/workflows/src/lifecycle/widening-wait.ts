import type { WaitPolicy } from './lifecycle.js';

/** After so many doublings every wait is the longest one; the limit keeps the numbers exact. */
const mostDoublings = 30;

/** Each wait is twice as long as the one before, up to the longest. Milliseconds. */
export function wideningWait(
  firstMs: number,
  { longestPollMs }: Pick<WaitPolicy, 'longestPollMs'>,
  before: number,
): number {
  return Math.min(longestPollMs, firstMs * 2 ** Math.min(before, mostDoublings));
}

/** The wait before the next poll, from the number of polls without news. */
export function pollWait(patience: WaitPolicy, polls: number): number {
  return wideningWait(patience.firstPollMs, patience, polls);
}
