import type { Client, WorkflowExecutionDescription, WorkflowHandle } from '@temporalio/client';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a run has cost in Temporal so far. */
export interface RunCost {
  readonly historyEvents: number;
  readonly historyBytes: number;
  /** Those that ended, local ones included, each repetition of a regular one counted once. */
  readonly activities: number;
}

const closedWithinMs = 5_000;
const restMs = 1_000;
const restsWithinMs = 60_000;

/** The marker by which a history keeps the outcome of a local activity. */
const localActivityMarker = 'core_local_activity';

/** Of a run that is about to close: it is waited for. The answer to the last request comes a moment before. */
export async function costOfClosingRun(temporal: Client, workflowId: string): Promise<RunCost> {
  const handle = temporal.workflow.getHandle(workflowId);
  let run = await handle.describe();
  for (const deadline = Date.now() + closedWithinMs; isOpen(run) && Date.now() < deadline;) {
    await sleep(20);
    run = await handle.describe();
  }
  return await costOf(handle, run);
}

/**
 * Of a run that goes on: once nothing has happened in it for a second, so that what webhooks have caused counts too.
 *
 * @throws when it does not come to rest.
 */
export async function costOfRestingRun(temporal: Client, workflowId: string): Promise<RunCost> {
  const handle = temporal.workflow.getHandle(workflowId);
  let run = await handle.describe();
  let restedSince = Date.now();
  for (const deadline = Date.now() + restsWithinMs; Date.now() < deadline;) {
    await sleep(50);
    const later = await handle.describe();
    const isAtRest = later.historyLength === run.historyLength && !later.raw.pendingWorkflowTask;
    if (!isAtRest) restedSince = Date.now();
    run = later;
    if (Date.now() - restedSince >= restMs) return await costOf(handle, run);
  }
  throw new Error(`the run ${workflowId} does not come to rest`);
}

async function costOf(handle: WorkflowHandle, run: WorkflowExecutionDescription): Promise<RunCost> {
  const { events } = await handle.fetchHistory();
  const activities = (events ?? []).filter(
    ({ activityTaskScheduledEventAttributes: regular, markerRecordedEventAttributes: marker }) =>
      regular || marker?.markerName === localActivityMarker,
  ).length;
  return { historyEvents: run.historyLength, historyBytes: run.historySize ?? 0, activities };
}

function isOpen({ status }: WorkflowExecutionDescription): boolean {
  return status.name === 'RUNNING';
}
