import proto, { type temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const eventType = proto.temporal.api.enums.v1.EventType;
const cause = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

/** A run that was taken back so often and is blocked again has another ailment: a person must see it. */
const mostTakenBack = 2;

/**
 * Where a run is to be taken back to whose history no worker can go on from: to before the last workflow task that was
 * completed. A server that dies while a task is with a worker can record what the worker answered to an older one, with
 * messages in the history before it that the answer knows nothing of; replayed, the workflow asks for something else
 * there, and every later task fails. What that task had done is in the rows, under the names of its attempts.
 *
 * @param newestFirst the end of the run's history.
 * @returns the id of the event that is to be taken back with all after it; undefined for a run that is not blocked so,
 *   or was taken back in vain before.
 */
export function blockingTask(newestFirst: readonly HistoryEvent[]): HistoryEvent['eventId'] | undefined {
  const outcomes = newestFirst.filter(isOutcome);
  if (causeOf(outcomes[0]) !== cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR) return undefined;
  if (outcomes.filter(isTakingBack).length >= mostTakenBack) return undefined;
  const last = outcomes.find((event) => isCompletion(event) || isTakingBack(event));
  // Taken back, and not one task completed since: the ailment lies before it. Further back, the count of what was tried
  // would be lost with the events that tell it, and the run would be unwound to its start.
  return last && isCompletion(last) ? (last.eventId ?? undefined) : undefined;
}

/** True for a run that no worker can go on with, also after it was taken back: its history disagrees further back. */
export function isBeyondTakingBack(newestFirst: readonly HistoryEvent[]): boolean {
  const [last] = newestFirst.filter(isOutcome);
  const isBlocked = causeOf(last) === cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR;
  return isBlocked && newestFirst.some(isTakingBack) && blockingTask(newestFirst) === undefined;
}

function isTakingBack(event: HistoryEvent): boolean {
  return causeOf(event) === cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW;
}

function causeOf(event: HistoryEvent | undefined) {
  return event?.workflowTaskFailedEventAttributes?.cause;
}

function isOutcome(event: HistoryEvent): boolean {
  return isCompletion(event) || event.eventType === eventType.EVENT_TYPE_WORKFLOW_TASK_FAILED;
}

function isCompletion(event: HistoryEvent): boolean {
  return event.eventType === eventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
}
