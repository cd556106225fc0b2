import { EndOnRecordError, LateTaskError } from '#database/transitions';
import type { EndOnRecord, LateTask } from '#workflows/contract';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * Where the rows refuse what an activity was about to write, its run is told why, as a result: they have come to an end
 * that the run does not know, which it takes over, or a newer task of the run has written, and the run begins another one.
 */
export function tellingOfRows<All extends object>(activities: All & Activities): All {
  const entries = Object.entries(activities as Activities).map(([name, activity]) => [name, told(activity)]);
  return Object.fromEntries(entries) as All;
}

function told(activity: Activities[string]) {
  return async (...args: never[]): Promise<unknown> => {
    try {
      return await activity(...args);
    } catch (error) {
      if (error instanceof EndOnRecordError) return { ended: error.position } satisfies EndOnRecord<unknown>;
      if (error instanceof LateTaskError) return { isLate: true } satisfies LateTask;
      throw error;
    }
  };
}
