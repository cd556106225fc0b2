import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';
import { type Subject, runTypeOf, workflowIdOf } from '#workflows/contract';
import { callWithin } from './call-within.js';
import { countFailedTasks } from './failed-tasks.js';
import { newestEvents } from './newest-events.js';

/** The status of a run at Temporal. */
export type RunStatus =
  | { readonly kind: 'alive' }
  /** It is open, but its workflow tasks fail again and again. */
  | { readonly kind: 'failing' }
  /** A workflow of another type has the id, and is open: somebody else has started it. */
  | { readonly kind: 'other'; readonly type: string; readonly runId: string }
  /** It completed. */
  | { readonly kind: 'ended' }
  /**
   * It was terminated or has failed, or a workflow of another type that had the id has ended (`isOther`); without an
   * instant, Temporal does not know it.
   */
  | { readonly kind: 'gone'; readonly since?: Date; readonly isOther?: true };

/** A task counts as failing from this attempt or failure on: the first repeats may come from a dead worker. */
const failingFromAttempt = 3;

/** @throws {TemporalAwayError} */
export async function readRunStatus(
  client: Client,
  deadlineMs: number,
  subject: Subject,
): Promise<RunStatus> {
  const handle = client.workflow.getHandle(workflowIdOf(subject));
  try {
    const run = await callWithin(client, deadlineMs, () => handle.describe());
    const { status, closeTime, type, runId } = run;
    if (type === runTypeOf(subject)) {
      if (status.name === 'COMPLETED') return { kind: 'ended' };
      if (closeTime) return { kind: 'gone', since: closeTime };
      return (await isFailing(client, deadlineMs, run)) ? { kind: 'failing' } : { kind: 'alive' };
    }
    if (!closeTime) return { kind: 'other', type, runId };
    if (await callWithin(client, deadlineMs, () => hasCompletedBefore(client, subject)))
      return { kind: 'ended' };
    return { kind: 'gone', since: closeTime, isOther: true };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
    throw error;
  }
}

async function isFailing(
  client: Client,
  deadlineMs: number,
  { raw, workflowId, runId }: WorkflowExecutionDescription,
): Promise<boolean> {
  const attempt = raw.pendingWorkflowTask?.attempt;
  if (attempt === undefined) return false;
  if ((attempt ?? 0) >= failingFromAttempt) return true;
  return (
    countFailedTasks(await newestEvents(client, deadlineMs, { workflowId, runId })) >= failingFromAttempt
  );
}

/** The latest workflow under the id hides the run: one that completed must not be continued from an older row. */
async function hasCompletedBefore(client: Client, subject: Subject): Promise<boolean> {
  const query = `WorkflowId = '${workflowIdOf(subject)}' AND WorkflowType = '${runTypeOf(subject)}' AND ExecutionStatus = 'Completed'`;
  return (await client.workflow.count(query)).count > 0;
}
