import { ApplicationFailure, Context } from '@temporalio/activity';
import type { LateTask } from '#workflows/contract';
import { UnconfiguredApplicationError } from '../../provider/unconfigured-application-error.js';

type Activity = (...args: unknown[]) => Promise<unknown>;

/** The tries in one workflow task: the waits between them take eight seconds, longer than a short outage. */
const mostTriesInTask = 6;

/** After this time a run begins another task, in milliseconds; each time later (`waitBeforeRepeat`). */
const comesAgainInMs = { unconfigured: 1_000, failing: 10_000 };

/**
 * Lets a run wait by a timer for an activity that fails again and again. The SDK would repeat it within the workflow task
 * without end, and each such run would hold the place of a task: some dozens keep a worker from all other runs.
 *
 * @param activities those that only find rows have other results; their runs have nothing else to do.
 */
export function retriedByTimer<Activities extends object>(activities: Activities): Activities {
  const patient = Object.entries(activities).map(([name, activity]) => [
    name,
    name.startsWith('find') ? activity : withoutEndlessTries(activity as Activity),
  ]);
  return Object.fromEntries(patient) as Activities;
}

function withoutEndlessTries(activity: Activity): Activity {
  return async (...args) => {
    try {
      return await activity(...args);
    } catch (error) {
      const waitMs = waitAfter(error);
      if (waitMs === undefined) throw error;
      return { isLate: true, isUnpersisted: true, comesAgainInMs: waitMs } satisfies LateTask;
    }
  };
}

/** @returns undefined while the SDK is to repeat the activity, or to fail the run. */
function waitAfter(error: unknown): number | undefined {
  // Only a restart of the worker with another configuration changes this.
  if (error instanceof UnconfiguredApplicationError) return comesAgainInMs.unconfigured;
  if (error instanceof ApplicationFailure && error.nonRetryable) return undefined;
  return Context.current().info.attempt < mostTriesInTask ? undefined : comesAgainInMs.failing;
}
