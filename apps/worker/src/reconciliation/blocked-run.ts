import proto, { type temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const eventType = proto.temporal.api.enums.v1.EventType;
const cause = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

/** A run that was taken back so often and is blocked again has another ailment: a person must see it. */
const mostTakenBack = 2;

/** How the last workflow task of a run came out, if that says something about its history. */
export type LastTask =
  /** A worker could not make it again as the history has it. */
  | 'disagreed'
  /** No worker answered: none was there, or none was quick enough, or it found a disagreement, which is told only once. */
  | 'timedOut'
  | 'other';

/** @param newestFirst the end of the run's history. */
export function lastTask(newestFirst: readonly HistoryEvent[]): LastTask {
  const last = newestFirst.find(isOutcome);
  if (last?.eventType === eventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT) return 'timedOut';
  const disagreed = causeOf(last) === cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR;
  return disagreed ? 'disagreed' : 'other';
}

/**
 * Where a run is to be taken back to whose history no worker can go on from: to before the last workflow task that was
 * completed. What that task had done is in the rows, under the names of its attempts.
 *
 * @param newestFirst the end of the run's history.
 * @returns the id of the event that is to be taken back with all after it; undefined for a run that was taken back in
 *   vain before.
 */
export function blockingTask(newestFirst: readonly HistoryEvent[]): HistoryEvent['eventId'] | undefined {
  if (newestFirst.filter(isTakingBack).length >= mostTakenBack) return undefined;
  const last = newestFirst.find((event) => isCompletion(event) || isTakingBack(event));
  // Taken back, and not one task completed since: the ailment lies before it. Further back, the count of what was tried
  // would be lost with the events that tell it, and the run would be unwound to its start.
  return last && isCompletion(last) ? (last.eventId ?? undefined) : undefined;
}

export function isTakingBack(event: HistoryEvent): boolean {
  return causeOf(event) === cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW;
}

function causeOf(event: HistoryEvent | undefined) {
  return event?.workflowTaskFailedEventAttributes?.cause;
}

function isOutcome(event: HistoryEvent): boolean {
  const { EVENT_TYPE_WORKFLOW_TASK_FAILED, EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT } = eventType;
  const ends: readonly unknown[] = [EVENT_TYPE_WORKFLOW_TASK_FAILED, EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT];
  return isCompletion(event) || ends.includes(event.eventType);
}

function isCompletion(event: HistoryEvent): boolean {
  return event.eventType === eventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED;
}
