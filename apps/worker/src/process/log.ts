import { asyncLocalStorage } from '@temporalio/activity';
import { pino } from 'pino';
import { causeOf } from '#observability';
import { subjectOfRun } from './subject-of-run.js';

/**
 * Names only: messages of errors may quote an address with a password in it. A line of an activity names its run and the
 * subject of it; with traces also the trace, and the API's request if one sent the message.
 */
export const log = pino({ name: 'worker', mixin: whereFrom });

function whereFrom(): object {
  const activity = asyncLocalStorage.getStore();
  if (!activity) return {};
  const { workflowExecution: run, activityType, attempt } = activity.info;
  const { workflowId, runId: workflowRunId } = run ?? {};
  return {
    ...subjectOfRun(workflowId),
    workflowId,
    workflowRunId,
    activityType,
    attempt,
    ...causeOf(activity),
  };
}
