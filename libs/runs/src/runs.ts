import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  type RunMessage,
  type RunStart,
  workflowIdOf,
  type Subject,
  type DecisionMessage,
  decideReviewUpdate,
  searchAttributes,
} from '#workflows/contract';
import { callWithin } from './call-within.js';
import { TemporalAwayError } from './temporal-away-error.js';

export interface RunsOptions {
  readonly taskQueue: string;
  /** How long one call to Temporal may take before it counts as away, in milliseconds. */
  readonly deadlineMs: number;
}

/** What Temporal knows of a run. */
export type RunStanding =
  | { readonly kind: 'alive' }
  /** It lives, and its workflow tasks fail one after the other. */
  | { readonly kind: 'failing' }
  /** It came to its own end. */
  | { readonly kind: 'ended' }
  /** Terminated or failed; or, without an instant, unknown to Temporal. */
  | { readonly kind: 'gone'; readonly since?: Date };

/**
 * Twice the default. A worker gives a sign of life after four fifths of it, by its own clock: a task that came to it later
 * than the last fifth is handed out again, in the middle of a step. And a machine under load replays a long history for
 * more than ten seconds. A worker that dies keeps its runs waiting for so long (docs/decisions/0025).
 */
const workflowTaskTimeout = '20s';

/** A task that was handed out so often: the first repeats may be those of a worker that died. */
const failingFromAttempt = 3;

/** Starts, tells and minds runs, whatever they are about. Every call is bounded by the configured deadline. */
export class Runs {
  constructor(
    private readonly client: Client,
    private readonly options: RunsOptions,
  ) {}

  /**
   * Starts a run; starting it again changes nothing, also after it has ended.
   *
   * @throws {TemporalAwayError} when it is not certain that the run is started.
   */
  async start(run: RunStart): Promise<void> {
    await this.startUnless('REJECT_DUPLICATE', run);
  }

  /**
   * Starts another run for a subject whose run is gone: terminated, failed, or lost with Temporal's store.
   *
   * @returns false when there is a run that lives, or one that came to its end.
   * @throws {TemporalAwayError} when it is not certain that the run is started.
   */
  async restart(run: RunStart): Promise<boolean> {
    return await this.startUnless('ALLOW_DUPLICATE_FAILED_ONLY', run);
  }

  /** @throws {TemporalAwayError} */
  async standingOf(subject: Subject): Promise<RunStanding> {
    const handle = this.client.workflow.getHandle(workflowIdOf(subject));
    try {
      const { status, closeTime, raw } = await this.within(() => handle.describe());
      if (status.name === 'COMPLETED') return { kind: 'ended' };
      const isFailing = (raw.pendingWorkflowTask?.attempt ?? 0) >= failingFromAttempt;
      if (!closeTime) return { kind: isFailing ? 'failing' : 'alive' };
      return { kind: 'gone', since: closeTime };
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return { kind: 'gone' };
      throw error;
    }
  }

  /**
   * Hands a message to a run, as the signal that bears the name of what has happened.
   *
   * @returns false when the run has ended and nobody will take the message.
   * @throws {TemporalAwayError} when it is not certain that the run will get it.
   */
  async signal(subject: Subject, message: RunMessage): Promise<boolean> {
    const handle = this.client.workflow.getHandle(workflowIdOf(subject));
    try {
      await this.within(() => handle.signal(message.event.type, message));
      return true;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return false;
      throw error;
    }
  }

  /**
   * Puts an operator's decision to a run, which refuses it at once where it has no place. The same message
   * again gets the same answer.
   *
   * @returns why it was refused; undefined when the run has taken it; 'gone' when there is no run that could.
   * @throws {TemporalAwayError} when no worker answered in time: whether the run has got it is not certain.
   */
  async decide(
    subject: Subject,
    message: DecisionMessage,
  ): Promise<{ readonly code: string; readonly reason: string } | 'gone' | undefined> {
    const handle = this.client.workflow.getHandle(workflowIdOf(subject));
    try {
      await this.within(() =>
        handle.executeUpdate(decideReviewUpdate, { args: [message], updateId: message.id }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof WorkflowNotFoundError) return 'gone';
      if (error instanceof WorkflowUpdateRPCTimeoutOrCancelledError) throw new TemporalAwayError('no-worker');
      if (!(error instanceof WorkflowUpdateFailedError) || !(error.cause instanceof ApplicationFailure))
        throw error;
      return { code: error.cause.type ?? 'not_allowed_in_state', reason: error.cause.message };
    }
  }

  /**
   * Tells a run that whoever first has something to tell it starts.
   *
   * @returns false when the run has ended: nothing that it is told can change how.
   * @throws {TemporalAwayError} when it is not certain that the run will get it.
   */
  async startWithMessage(run: RunStart, message: RunMessage): Promise<boolean> {
    // One that was terminated has not ended: whoever tells it something makes up for it.
    return await this.signalWithStart('ALLOW_DUPLICATE_FAILED_ONLY', run, message);
  }

  /**
   * Tells something to what has ended: the run that lives, or else another one. Told twice, it may be told to two runs,
   * one after the other.
   *
   * @throws {TemporalAwayError} when it is not certain that a run will get it.
   */
  async startAgainWithMessage(run: RunStart, message: RunMessage): Promise<void> {
    await this.signalWithStart('ALLOW_DUPLICATE', run, message);
  }

  private async signalWithStart(
    workflowIdReusePolicy: 'ALLOW_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY',
    run: RunStart,
    message: RunMessage,
  ): Promise<boolean> {
    const options = {
      ...this.optionsOf(run),
      signal: message.event.type,
      signalArgs: [message],
      workflowIdReusePolicy,
    };
    return await isFirst(this.within(() => this.client.workflow.signalWithStart(run.type, options)));
  }

  private async startUnless(
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY',
    run: RunStart,
  ): Promise<boolean> {
    const options = { ...this.optionsOf(run), workflowIdReusePolicy };
    return await isFirst(this.within(() => this.client.workflow.start(run.type, options)));
  }

  private optionsOf({ subject, input, summary, orderId, intent }: RunStart) {
    return {
      workflowId: workflowIdOf(subject),
      taskQueue: this.options.taskQueue,
      workflowTaskTimeout,
      args: [{ ...input, recordsTime: true }],
      staticSummary: summary,
      typedSearchAttributes: [
        { key: searchAttributes.environment, value: subject.environment },
        { key: searchAttributes.application, value: subject.application },
        ...(orderId === undefined ? [] : [{ key: searchAttributes.orderId, value: orderId }]),
        { key: searchAttributes.intent, value: intent },
      ],
    };
  }

  /** @throws {TemporalAwayError} */
  async assertReachable(): Promise<void> {
    await this.within(() => this.client.connection.workflowService.getSystemInfo({}));
  }

  private async within<T>(call: () => Promise<T>): Promise<T> {
    return await callWithin(this.client, this.options.deadlineMs, call);
  }
}

/** @returns false where the run was started before. */
async function isFirst(started: Promise<unknown>): Promise<boolean> {
  try {
    await started;
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
