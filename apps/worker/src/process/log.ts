import { asyncLocalStorage } from '@temporalio/activity';
import { pino } from 'pino';

let traceIdNow: () => string | undefined = () => undefined;

/**
 * Names only: messages of errors may quote an address with a password in it. A line of an activity names its run, whose
 * id ends with that of its payment, refund, plan, subscription or payout, and its trace.
 */
export const log = pino({ name: 'worker', mixin: whereFrom });

/** From now on lines name the trace that they belong to. */
export function nameTraces(traceId: () => string | undefined): void {
  traceIdNow = traceId;
}

function whereFrom(): object {
  const info = asyncLocalStorage.getStore()?.info;
  if (!info) return {};
  const { workflowExecution: run, activityType, attempt } = info;
  const traceId = traceIdNow();
  const of = { workflowId: run?.workflowId, workflowRunId: run?.runId, activityType, attempt };
  return { ...of, ...(traceId !== undefined && { traceId }) };
}
