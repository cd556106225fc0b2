import type { Client, WorkflowHandle } from '@temporalio/client';
import { callWithin } from '#runs';
import { workflowIdOf, type Subject } from '#workflows/contract';
import { blockingTask, isTakingBack, lastTask } from './blocked-run.js';
import type { Replay } from './replay.js';

/** Of a history: more than a few workflow tasks leave there. */
const lastEvents = 100;

/** What was done about a run that no worker could go on with. */
export type Unblocked =
  /** Reset to before its last completed workflow task: it goes on from there, with the messages that it got since. */
  | 'takenBack'
  /** It was taken back in vain before. It is gone now, and another one goes on from the rows, which know all it has done. */
  | 'ended';

/** Gets runs on that no worker can go on with (docs/decisions/0011). */
export class BlockedRuns {
  /**
   * @param deadlineMs how long one call to Temporal may take before it counts as away, in milliseconds.
   * @param replay by the workflow code of this worker.
   */
  constructor(
    private readonly client: Client,
    private readonly deadlineMs: number,
    private readonly replay: Replay,
  ) {}

  /**
   * @returns undefined when it is not its history that makes its tasks fail.
   * @throws {TemporalAwayError}
   */
  async unblock(subject: Subject): Promise<Unblocked | undefined> {
    const workflowId = workflowIdOf(subject);
    const { runId } = await this.within(() => this.client.workflow.getHandle(workflowId).describe());
    const handle = this.client.workflow.getHandle(workflowId, runId);
    const newestFirst = await this.lastEventsOf({ workflowId, runId });
    if (!(await this.isBlocked(handle, newestFirst))) return undefined;
    const task = blockingTask(newestFirst);
    if (task) {
      await this.takeBack({ workflowId, runId }, task);
      return 'takenBack';
    }
    if (!newestFirst.some(isTakingBack)) return undefined;
    await this.within(() => handle.terminate('No worker could go on with it, also after it was taken back.'));
    return 'ended';
  }

  /**
   * A worker that finds a disagreement reports it for the first try of a task only, and lets the others time out. Where
   * the first one timed out as well, as on a machine under load, a replay must tell.
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
        reason: 'No worker could go on from its last workflow task.',
        // Whoever else finds it takes it back by the same request.
        requestId: `take-back/${workflowExecution.runId}`,
      }),
    );
  }

  private async lastEventsOf(execution: { readonly workflowId: string; readonly runId: string }) {
    const { workflowService, options } = this.client;
    const { history } = await this.within(() =>
      workflowService.getWorkflowExecutionHistoryReverse({
        namespace: options.namespace,
        execution,
        maximumPageSize: lastEvents,
      }),
    );
    return history?.events ?? [];
  }

  private async within<T>(call: () => Promise<T>): Promise<T> {
    return await callWithin(this.client, this.deadlineMs, call);
  }
}
