import proto, { type temporal } from '@temporalio/proto';
import { describe, expect, it } from 'vitest';
import { blockingTask, lastTask } from '#worker/blocked-runs/blocked-run.js';

const { EventType, WorkflowTaskFailedCause: cause } = proto.temporal.api.enums.v1;
type Event = temporal.api.history.v1.IHistoryEvent;

let lastId = 0;
const event = (eventType: temporal.api.enums.v1.EventType, more: Partial<Event> = {}): Event => ({
  eventId: (lastId += 1) as unknown as NonNullable<Event['eventId']>,
  eventType,
  ...more,
});
const completed = () => event(EventType.EVENT_TYPE_WORKFLOW_TASK_COMPLETED);
const signaled = () => event(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_SIGNALED);
const failed = (why: temporal.api.enums.v1.WorkflowTaskFailedCause) =>
  event(EventType.EVENT_TYPE_WORKFLOW_TASK_FAILED, { workflowTaskFailedEventAttributes: { cause: why } });
const nondeterminism = () => failed(cause.WORKFLOW_TASK_FAILED_CAUSE_NON_DETERMINISTIC_ERROR);
const reset = () => failed(cause.WORKFLOW_TASK_FAILED_CAUSE_RESET_WORKFLOW);

const timedOut = () => event(EventType.EVENT_TYPE_WORKFLOW_TASK_TIMED_OUT);

const blocking = (...oldestFirst: readonly Event[]) => blockingTask(oldestFirst.toReversed());
const last = (...oldestFirst: readonly Event[]) => lastTask(oldestFirst.toReversed());

describe('the last workflow task of a run', () => {
  it('disagreed with the history when a worker said so, whatever the run was sent since', () => {
    expect(last(completed(), nondeterminism(), signaled())).toBe('disagreed');
  });

  it('timed out when no worker answered, also after one that failed', () => {
    expect(last(completed(), signaled(), timedOut(), signaled())).toBe('timedOut');
    expect(last(completed(), nondeterminism(), timedOut())).toBe('timedOut');
  });

  it('says nothing about the history when it was completed, or failed for another reason', () => {
    const other = failed(cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE);
    expect(last(nondeterminism(), completed())).toBe('other');
    expect(last(completed(), other)).toBe('other');
  });
});

describe('the workflow task that blocks a run', () => {
  it('is the last one that was completed', () => {
    const task = completed();
    expect(blocking(completed(), task, signaled(), nondeterminism(), signaled())).toBe(task.eventId);
  });

  it('is not searched before a task to which the run was reset without effect: it would be reset to its start', () => {
    expect(blocking(completed(), completed(), reset(), nondeterminism())).toBeUndefined();
  });

  it('is no longer searched when the run was reset twice without effect', () => {
    const twice = [reset(), completed(), nondeterminism()];
    expect(blocking(completed(), ...twice)).toBeDefined();
    expect(blocking(completed(), ...twice, ...twice)).toBeUndefined();
  });
});
