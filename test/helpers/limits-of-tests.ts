import { usualLimits } from '#api/server/caller-limits.js';

/** The usual ones; refusals are not slowed down, because tests are refused often. */
export const limitsOfTests = { ...usualLimits, refusals: Number.POSITIVE_INFINITY };
