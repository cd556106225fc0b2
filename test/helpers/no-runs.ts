import type { ActivityContext } from '#worker/steps/activities/context.js';

/** For tests without runs: what a run is told is lost. */
export const noRuns: ActivityContext['runs'] = { signal: async () => false };
