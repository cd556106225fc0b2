import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client';

/** Something that a Temporal Schedule does again and again: a workflow without arguments, one run at a time. */
export interface Recurrence {
  /** Of the schedule and of its runs; names the task queue as well, so that two engines share a namespace. */
  readonly name: string;
  readonly workflowType: string;
  readonly everyMs: number;
  /** What operators read in Temporal's UI. */
  readonly summary: string;
}

/** A run that hangs would hold up all later ones, for they do not overlap. */
const longestRun = '15 minutes';
/** What was missed while Temporal was away is made up for by the next run; there is no use in many. */
const catchUp = '1 minute';

export function scheduleIdOf(taskQueue: string, { name }: Pick<Recurrence, 'name'>): string {
  return `${name}/${taskQueue}`;
}

/** Makes sure that the schedule stands, as it is wanted now. Safe from several workers at once, and again and again. */
export async function ensureSchedule(
  client: Client,
  taskQueue: string,
  recurrence: Recurrence,
): Promise<void> {
  const wanted = optionsOf(taskQueue, recurrence);
  try {
    await client.schedule.create(wanted);
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
    // An operator's pause stays, for it is in the state, which is left as it was.
    await client.schedule.getHandle(wanted.scheduleId).update((previous) => ({ ...previous, ...wanted }));
  }
}

/**
 * Makes the schedule again where it is gone: with Temporal's store, or deleted by somebody, who may pause it instead.
 * What it starts is also what makes up for runs that went with such a store.
 */
export async function restoreSchedule(
  client: Client,
  taskQueue: string,
  recurrence: Recurrence,
): Promise<void> {
  try {
    await client.schedule.create(optionsOf(taskQueue, recurrence));
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error;
  }
}

function optionsOf(taskQueue: string, recurrence: Recurrence) {
  const scheduleId = scheduleIdOf(taskQueue, recurrence);
  return {
    scheduleId,
    spec: { intervals: [{ every: recurrence.everyMs }] },
    action: {
      type: 'startWorkflow',
      workflowType: recurrence.workflowType,
      workflowId: scheduleId,
      taskQueue,
      args: [],
      workflowExecutionTimeout: longestRun,
      staticSummary: recurrence.summary,
    },
    policies: { overlap: 'SKIP', catchupWindow: catchUp },
  } satisfies ScheduleOptions;
}
