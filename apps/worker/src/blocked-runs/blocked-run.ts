import proto, { type temporal } from '@temporalio/proto';
import { isCompletedTask } from '#runs';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

const eventType = proto.temporal.api.enums.v1.EventType;
const cause = proto.temporal.api.enums.v1.WorkflowTaskFailedCause;

/** If a run is blocked again after so many resets, a reset does not help: a person must look at it. */
const mostTakenBack = 2;

/** The outcome of a run's last workflow task, if it says something about the run's history. */
export type LastTask =
  /** The replay was not deterministic. */
  | 'disagreed'
  /**
   * No worker answered: none was running, none was fast enough, or one found a nondeterminism again, which is reported
   * only the first time.
   */
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
 * The event to which a run must be reset if no worker can continue its history: before the last completed workflow
 * task. The rows already have what that task did, under the ids of its attempts.
 *
 * @param newestFirst the end of the run's history.
 * @returns the id of the first event to remove; undefined for a run whose earlier reset did not help.
 */
export function blockingTask(newestFirst: readonly HistoryEvent[]): HistoryEvent['eventId'] | undefined {
  if (newestFirst.filter(isTakingBack).length >= mostTakenBack) return undefined;
  const last = newestFirst.find((event) => isCompletedTask(event) || isTakingBack(event));
  // No task has completed since the last reset: the cause lies before it. An earlier reset would also remove the events
  // that count the resets, and the run would be reset step by step to its start.
  return last && isCompletedTask(last) ? (last.eventId ?? undefined) : undefined;
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
  return isCompletedTask(event) || ends.includes(event.eventType);
}
