import { activityInfo } from '@temporalio/activity';

/** Of the activity that asks. */
export function activityRequestId(): string {
  const { workflowExecution, activityId } = activityInfo();
  return `${workflowExecution?.runId}-${activityId}`;
}
