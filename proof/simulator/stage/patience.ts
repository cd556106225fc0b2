import { horizonMs } from '../provider/exchange.js';

/** Longer than any wait between two lookups: by then a run has found what its rows prove. */
export const noticedWithinMs = 1.1 * 3_600_000;

/** As apps/api/src/environment.ts sets it. */
export const patience = {
  outcomeHorizonMs: horizonMs,
  firstLookMs: 500,
  firstRetryMs: 500,
  firstPollMs: 30_000,
  longestPollMs: 3_600_000,
  maxAttempts: 6,
  reviewAfterMs: 5 * horizonMs,
};
