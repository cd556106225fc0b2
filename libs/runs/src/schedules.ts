import { type Client, ScheduleAlreadyRunning, type ScheduleOptions } from '@temporalio/client';

/** The definition of a Temporal Schedule: a workflow without arguments, one run at a time. */
export interface Recurrence {
  /** The name of the Schedule and its runs. The id adds the task queue, so that two engines can share a namespace. */
  readonly name: string;
  readonly workflowType: string;
  readonly everyMs: number;
  /** The text for operators in Temporal's UI. */
  readonly summary: string;
}

/** Runs do not overlap, so a hanging run would block all later ones. */
const longestRun = '15 minutes';
/** Runs missed while Temporal was away are not repeated: the next run does their work. */
const catchUp = '1 minute';

export function scheduleIdOf(taskQueue: string, { name }: Pick<Recurrence, 'name'>): string {
  return `${name}/${taskQueue}`;
}

/**
 * Creates the Schedule, or updates it to the current definition. Several workers can call it at the same time, and
 * repeatedly.
 */
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
    // Keeps the state, which contains an operator's pause.
    await client.schedule.getHandle(wanted.scheduleId).update((previous) => ({ ...previous, ...wanted }));
  }
}

/**
 * Creates the Schedule again if it is missing because Temporal's store was lost or somebody deleted it (an operator
 * should pause it instead). Reconciliation, which also restarts lost runs, depends on its Schedule.
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
