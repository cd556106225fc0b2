import type { ActivityContext } from '#worker/context.js';

/** Where no run is minded: whatever one is told is lost. */
export const noRuns: ActivityContext['runs'] = { signal: async () => false };
