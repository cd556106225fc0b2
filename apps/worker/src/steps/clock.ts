import type { ClockActivities } from '#workflows/contract/run.js';

/** The time that runs decide by. */
export const clockActivities: ClockActivities = {
  readClock: async () => Date.now(),
};
