import type { ApplicationName } from '#configuration';
import type { LateTask } from '#workflows/contract';
import type { StepPlaces } from './step-places.js';

type Activity = (...args: unknown[]) => Promise<unknown>;

/**
 * Lets each step that may call the provider begin only with a place of its application. Without one the run repeats the
 * step in another workflow task, as one that was late does. Until then it keeps neither a place nor that of its task.
 *
 * @param activities have their input as the first argument. Those that only write, or only read rows, need no place.
 */
export function withPlaces<Activities extends object>(
  places: StepPlaces,
  activities: Activities,
): Activities {
  const guarded = Object.entries(activities).map(([name, activity]) => [
    name,
    /^(?:record|find)/.test(name) ? activity : withPlace(places, activity as Activity),
  ]);
  return Object.fromEntries(guarded) as Activities;
}

function withPlace(places: StepPlaces, activity: Activity): Activity {
  return async (input, ...others) => {
    const { identity } = input as { readonly identity: ApplicationName };
    const leave = places.take(identity);
    if (!leave) {
      const comesAgainInMs = places.comesAgainInMs(identity);
      return { isLate: true, isUnpersisted: true, comesAgainInMs } satisfies LateTask;
    }
    try {
      return await activity(input, ...others);
    } finally {
      leave();
    }
  };
}
