import proto, { type temporal } from '@temporalio/proto';
import { describe, expect, it } from 'vitest';
import { blockingTask, isBeyondTakingBack } from '#runs/blocked-run.js';

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

function blocking(...oldestFirst: readonly Event[]): unknown {
  return blockingTask(oldestFirst.toReversed());
}

const isBeyond = (...oldestFirst: readonly Event[]) => isBeyondTakingBack(oldestFirst.toReversed());

describe('the workflow task that blocks a run', () => {
  it('is the last one that was completed, when what came of it cannot be made again', () => {
    const last = completed();
    expect(blocking(completed(), last, signaled(), nondeterminism(), signaled())).toBe(last.eventId);
  });

  it('is none after a task that was completed since', () => {
    expect(blocking(completed(), nondeterminism(), completed())).toBeUndefined();
  });

  it('is none when tasks fail for another reason', () => {
    const other = failed(cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE);
    expect(blocking(completed(), other)).toBeUndefined();
  });

  it('is not sought before a task to which the run was taken back in vain: it would be unwound to its start', () => {
    expect(blocking(completed(), completed(), reset(), nondeterminism())).toBeUndefined();
  });

  it('is not sought any more where the run was taken back twice in vain', () => {
    const twice = [reset(), completed(), nondeterminism()];
    expect(blocking(completed(), ...twice)).toBeDefined();
    expect(blocking(completed(), ...twice, ...twice)).toBeUndefined();
  });
});

describe('a run is beyond taking back', () => {
  it('where it was taken back, and no task has completed since', () => {
    expect(isBeyond(completed(), reset(), nondeterminism())).toBe(true);
  });

  it('but not before it was taken back, nor while its tasks fail for another reason', () => {
    const other = failed(cause.WORKFLOW_TASK_FAILED_CAUSE_WORKFLOW_WORKER_UNHANDLED_FAILURE);
    expect(isBeyond(completed(), nondeterminism())).toBe(false);
    expect(isBeyond(completed(), reset(), other)).toBe(false);
    expect(isBeyond(completed(), reset(), nondeterminism(), completed())).toBe(false);
  });
});
