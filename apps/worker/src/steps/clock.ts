import type { ClockActivities } from '../../../../libs/workflows/src/contract/run.js';

/** The time that runs decide by. */
export const clockActivities: ClockActivities = {
  readClock: async () => Date.now(),
};
