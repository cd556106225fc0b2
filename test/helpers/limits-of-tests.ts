import type { RateLimits } from '#api/injected/api-config.js';
import { usualLimits } from '#api/server/caller-limits.js';

/** The usual ones; refusals are not slowed down, because tests are refused often. */
export const limitsOfTests = { ...usualLimits, refusals: Number.POSITIVE_INFINITY };

const unlimited = Number.MAX_SAFE_INTEGER;

/** Tests send all their requests from one address. */
export const ratesOfTests: RateLimits = {
  requestsPerKey: unlimited,
  requestsPerAddress: unlimited,
  failuresPerAddress: unlimited,
  signInsPerAddress: unlimited,
};
