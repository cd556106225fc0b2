import { horizonMs } from '../provider/exchange.js';

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
