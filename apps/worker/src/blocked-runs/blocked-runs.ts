import type { Client, WorkflowHandle } from '@temporalio/client';
import { callWithin, newestEvents } from '#runs';
import { workflowIdOf, type Subject } from '#workflows/contract';
import { blockingTask, isTakingBack, lastTask } from './blocked-run.js';
import type { Replay } from './replay.js';

/** What was done about a run that no worker could continue. */
export type Unblocked =
  /** It was reset to before its last completed workflow task and continues with the messages it has received since. */
  | 'takenBack'
  /**
   * An earlier reset did not help. It was terminated, and a new run continues from the rows, which have everything it
   * did.
   */
  | 'ended';

/** Resets or ends runs that no worker can continue (docs/decisions/0011). */
export class BlockedRuns {
  /**
   * @param deadlineMs how long one call to Temporal may take before it counts as away, in milliseconds.
   * @param replay replays a history with the workflow code of this worker.
   */
  constructor(
    private readonly client: Client,
    private readonly deadlineMs: number,
    private readonly replay: Replay,
  ) {}

  /**
   * @returns undefined if its tasks fail for another reason than its history.
   * @throws {TemporalAwayError}
   */
  async unblock(subject: Subject): Promise<Unblocked | undefined> {
    const workflowId = workflowIdOf(subject);
    const { runId } = await this.within(() => this.client.workflow.getHandle(workflowId).describe());
    const handle = this.client.workflow.getHandle(workflowId, runId);
    const newestFirst = await newestEvents(this.client, this.deadlineMs, { workflowId, runId });
    if (!(await this.isBlocked(handle, newestFirst))) return undefined;
    const task = blockingTask(newestFirst);
    if (task) {
      await this.takeBack({ workflowId, runId }, task);
      return 'takenBack';
    }
    if (!newestFirst.some(isTakingBack)) return undefined;
    await this.within(() => handle.terminate('No worker could continue it, even after a reset.'));
    return 'ended';
  }

  /**
   * A worker reports a nondeterminism only for the first try of a task and lets the other tries time out. If the first
   * try also timed out, for example under load, a replay shows the cause.
   */
  private async isBlocked(
    handle: WorkflowHandle,
    newestFirst: Parameters<typeof lastTask>[0],
  ): Promise<boolean> {
    const last = lastTask(newestFirst);
    if (last !== 'timedOut') return last === 'disagreed';
    return !(await this.replay(handle.workflowId, await this.within(() => handle.fetchHistory())));
  }

  private async takeBack(
    workflowExecution: { readonly workflowId: string; readonly runId: string },
    workflowTaskFinishEventId: NonNullable<ReturnType<typeof blockingTask>>,
  ): Promise<void> {
    const { workflowService, options } = this.client;
    await this.within(() =>
      workflowService.resetWorkflowExecution({
        namespace: options.namespace,
        workflowExecution,
        workflowTaskFinishEventId,
        reason: 'No worker could continue after its last workflow task.',
        // Another worker that finds the same run sends the same request id, so it is reset once.
        requestId: `take-back/${workflowExecution.runId}`,
      }),
    );
  }

  private async within<T>(call: () => Promise<T>): Promise<T> {
    return await callWithin(this.client, this.deadlineMs, call);
  }
}
