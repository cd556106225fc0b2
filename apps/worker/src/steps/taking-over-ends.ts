import { EndOnRecordError } from '#database/transitions.js';
import type { EndOnRecord } from '#workflows/contract/run.js';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * Where the rows have come to an end that the run does not know, whatever the activity was about to write: the run is
 * told of the end, and takes it over.
 */
export function takingOverEnds<All extends object>(activities: All & Activities): All {
  const entries = Object.entries(activities as Activities).map(([name, activity]) => [name, orEnd(activity)]);
  return Object.fromEntries(entries) as All;
}

function orEnd(activity: Activities[string]) {
  return async (...args: never[]): Promise<unknown> => {
    try {
      return await activity(...args);
    } catch (error) {
      if (!(error instanceof EndOnRecordError)) throw error;
      return { ended: error.position } satisfies EndOnRecord<unknown>;
    }
  };
}
