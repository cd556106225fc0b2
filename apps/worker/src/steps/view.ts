import type { ViewActivities } from '#workflows/contract';

/** What runs decide by: a replay gets from the history what they saw, whatever it sees itself. */
export const viewActivities: ViewActivities = {
  recordView: async (view) => ({ ...view, at: Date.now() }),
};
