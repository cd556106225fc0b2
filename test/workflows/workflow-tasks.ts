import type { WorkflowHandle } from '@temporalio/client';
import { until } from '../helpers/until.js';

/** Awaits that a worker is given the run's next workflow task, whether the worker knows of it or not. */
export async function taskIsHandedOut(run: WorkflowHandle): Promise<void> {
  await until(
    async () => (await run.describe()).raw.pendingWorkflowTask?.startedTime,
    (startedTime) => startedTime !== undefined && startedTime !== null,
    'the task to be handed out',
  );
}

export async function taskTimesOut(run: WorkflowHandle): Promise<void> {
  await until(
    async () => (await run.fetchHistory()).events ?? [],
    (events) => events.some((event) => event.workflowTaskTimedOutEventAttributes),
    'the task to time out',
  );
}

/** How many workflow tasks of the run were completed. */
export async function tasksOf(run: WorkflowHandle): Promise<number> {
  const { events } = await run.fetchHistory();
  return (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes).length;
}
