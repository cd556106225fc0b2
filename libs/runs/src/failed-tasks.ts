import proto, { type temporal } from '@temporalio/proto';
import { isCompletedTask } from './newest-events.js';

const { WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

/** Causes for which a repeat of the task fails again. */
const lasting: ReadonlySet<unknown> = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
]);

/**
 * How many workflow tasks of a run have failed since one was completed. The attempt of the pending task tells less: with
 * each signal Temporal begins another task, at its first attempt.
 *
 * @param newestFirst the end of the run's history.
 */
export function countFailedTasks(newestFirst: readonly temporal.api.history.v1.IHistoryEvent[]): number {
  const completed = newestFirst.findIndex(isCompletedTask);
  return newestFirst
    .slice(0, completed < 0 ? newestFirst.length : completed)
    .filter(({ workflowTaskFailedEventAttributes: failed }) => lasting.has(failed?.cause)).length;
}
