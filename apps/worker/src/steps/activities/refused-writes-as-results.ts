import { EndOnRecordError, LateTaskError } from '#database/transitions';
import type { EndOnRecord, LateTask } from '#workflows/contract';

type Activities = Readonly<Record<string, (...args: never[]) => Promise<unknown>>>;

/**
 * If the rows refuse a write, the activity returns the reason as its result. Either the subject has ended without the
 * run knowing, and the run takes the end over; or a newer task of the run has written, and the run begins another task.
 */
export function refusedWritesAsResults<All extends object>(activities: All & Activities): All {
  const entries = Object.entries(activities as Activities).map(([name, activity]) => [
    name,
    withRefusals(activity),
  ]);
  return Object.fromEntries(entries) as All;
}

function withRefusals(activity: Activities[string]) {
  return async (...args: never[]): Promise<unknown> => {
    try {
      return await activity(...args);
    } catch (error) {
      if (error instanceof EndOnRecordError) return { ended: error.position } satisfies EndOnRecord<unknown>;
      if (error instanceof LateTaskError) return { isLate: true, isUnpersisted: true } satisfies LateTask;
      throw error;
    }
  };
}
