import type { Client } from '@temporalio/client';
import proto from '@temporalio/proto';

const { EventType, WorkflowTaskFailedCause: Cause } = proto.temporal.api.enums.v1;

/** Causes for which a repeat of the task fails again. */
const lasting: ReadonlySet<unknown> = new Set([
  Cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR,
  Cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE,
]);

/** More than the signals that come while a few tasks fail. */
const latest = 200;

/**
 * How many workflow tasks of a run have failed since one was completed, by its history. The attempt of the pending task
 * tells less: with each signal Temporal begins another task, at its first attempt.
 */
export async function failedTasksOf(client: Client, workflowId: string, runId: string): Promise<number> {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId, runId },
    maximumPageSize: latest,
  });
  const events = history?.events ?? [];
  const completed = events.findIndex(
    ({ eventType }) => eventType === EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED,
  );
  return events
    .slice(0, completed < 0 ? events.length : completed)
    .filter(({ workflowTaskFailedEventAttributes: failed }) => lasting.has(failed?.cause)).length;
}
