import type { ViewActivities } from '#workflows/contract';

/** What runs use for their control flow. A replay takes the recorded values from the history. */
export const viewActivities: ViewActivities = {
  recordView: async (view) => ({ ...view, at: Date.now() }),
};
