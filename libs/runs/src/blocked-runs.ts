import type { Client } from '@temporalio/client';
import { workflowIdOf } from '#workflows/contract/run.js';
import type { Subject } from '#workflows/contract/subject.js';
import { blockingTask, isBeyondTakingBack } from './blocked-run.js';
import { callWithin } from './call-within.js';

/** Of a history: more than a few workflow tasks leave there. */
const lastEvents = 100;

/** Gets runs on that no worker can go on with (docs/decisions/0011). */
export class BlockedRuns {
  /** @param deadlineMs how long one call to Temporal may take before it counts as away, in milliseconds. */
  constructor(
    private readonly client: Client,
    private readonly deadlineMs: number,
  ) {}

  /**
   * Takes a run whose history no worker can go on from back by a workflow task. Messages that it got since are kept.
   *
   * @returns false when something else makes its tasks fail, or it was taken back in vain before.
   * @throws {TemporalAwayError}
   */
  async takeBack(subject: Subject): Promise<boolean> {
    const { workflowService, options } = this.client;
    const { workflowExecution, newestFirst } = await this.lastEventsOf(subject);
    const workflowTaskFinishEventId = blockingTask(newestFirst);
    if (!workflowTaskFinishEventId) return false;
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
    return true;
  }

  /**
   * Ends a run that was taken back in vain. It is gone then, and another one goes on from the rows, which know all that it
   * has done; what it was told and had not taken yet is told again by commands, polls and reconciliation.
   *
   * @returns false when it is not such a run.
   * @throws {TemporalAwayError}
   */
  async giveUp(subject: Subject): Promise<boolean> {
    const { workflowExecution, newestFirst } = await this.lastEventsOf(subject);
    if (!isBeyondTakingBack(newestFirst)) return false;
    const { workflowId, runId } = workflowExecution;
    const handle = this.client.workflow.getHandle(workflowId, runId);
    await this.within(() => handle.terminate('No worker could go on with it, also after it was taken back.'));
    return true;
  }

  private async lastEventsOf(subject: Subject) {
    const { workflowService, options } = this.client;
    const workflowId = workflowIdOf(subject);
    const { runId } = await this.within(() => this.client.workflow.getHandle(workflowId).describe());
    const workflowExecution = { workflowId, runId };
    const { history } = await this.within(() =>
      workflowService.getWorkflowExecutionHistoryReverse({
        namespace: options.namespace,
        execution: workflowExecution,
        maximumPageSize: lastEvents,
      }),
    );
    return { workflowExecution, newestFirst: history?.events ?? [] };
  }

  private async within<T>(call: () => Promise<T>): Promise<T> {
    return await callWithin(this.client, this.deadlineMs, call);
  }
}
