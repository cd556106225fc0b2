import {
  type Client,
  WorkflowExecutionAlreadyStartedError,
  WorkflowNotFoundError,
  WorkflowUpdateFailedError,
  WorkflowUpdateRPCTimeoutOrCancelledError,
} from '@temporalio/client';
import { ApplicationFailure } from '@temporalio/common';
import {
  type OrderedBy,
  type RunMessage,
  type RunStart,
  workflowIdOf,
  type Subject,
  type DecisionMessage,
  decideReviewUpdate,
  searchAttributes,
  asNewRunsDo,
} from '#workflows/contract';
import { callWithin } from './call-within.js';
import { type ConsoleOrigin, consoleOriginIn } from './console-origin.js';
import { readInput } from './read-input.js';
import { type RunStatus, readRunStatus } from './run-status.js';
import { TemporalAwayError } from './temporal-away-error.js';

export interface RunsOptions extends ConsoleOrigin {
  readonly taskQueue: string;
  /** How long one call to Temporal may take before it counts as away, in milliseconds. */
  readonly deadlineMs: number;
}

type Owned = Pick<Subject, 'environment' | 'application'>;

/** An order as the run of its subject keeps it. */
interface KeptOrder extends OrderedBy {
  readonly subjectId: string;
  /** The run goes on. */
  readonly isOpen: boolean;
}

/**
 * Twice the default. A worker sends a heartbeat after four fifths of it, by its own clock. If a task reached the worker
 * late, Temporal hands it out again in the middle of a step. A machine under load may also replay a long history for
 * more than ten seconds. The cost: runs of a dead worker wait this long (docs/decisions/0025).
 */
const workflowTaskTimeout = '20s';

/** Starts runs, sends them messages and reads their status. Every call has the configured deadline. */
export class Runs {
  constructor(
    private readonly client: Client,
    private readonly options: RunsOptions,
  ) {}

  /**
   * Starts a run. A repeated start has no effect, even after the run has ended.
   *
   * @throws {TemporalAwayError} if it is not certain that the run has started.
   */
  async start(run: RunStart): Promise<void> {
    await this.startUnless('REJECT_DUPLICATE', run);
  }

  /**
   * Starts another run for a subject whose run was terminated, has failed or was lost with Temporal's store.
   *
   * @param last what ended last under the id, if that was no run.
   * @returns false if its run is open or has completed.
   * @throws {TemporalAwayError} if it is not certain that the run has started.
   */
  async restart(run: RunStart, last: { readonly isOther?: true } = {}): Promise<boolean> {
    return await this.startUnless(last.isOther ? 'ALLOW_DUPLICATE' : 'ALLOW_DUPLICATE_FAILED_ONLY', run);
  }

  /** @throws {TemporalAwayError} */
  async statusOf(subject: Subject): Promise<RunStatus> {
    return await readRunStatus(this.client, this.options.deadlineMs, subject);
  }

  /**
   * Ends a workflow that is not the run of a subject, but has its id.
   *
   * @throws {TemporalAwayError}
   */
  async endOther(subject: Subject, { runId }: { readonly runId: string }): Promise<void> {
    const handle = this.client.workflow.getHandle(workflowIdOf(subject), runId);
    try {
      await this.within(() => handle.terminate('It is no workflow of the engine, and had the id of a run.'));
    } catch (error) {
      if (!(error instanceof WorkflowNotFoundError)) throw error;
    }
  }

  /**
   * Sends a message to a run, as the signal with the name of the event.
   *
   * @returns false if the run has ended and no run will take the message.
   * @throws {TemporalAwayError} if it is not certain that the run will get it.
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
   * Sends an operator's decision to a run, which refuses it at once if it does not fit the state. Repeating the message
   * gives the same answer.
   *
   * @returns why it was refused; undefined if the run has accepted it; 'gone' if there is no open run.
   * @throws {TemporalAwayError} if no worker answered in time: it is not certain whether the run has received it.
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
   * Sends a message to a run and starts the run if it does not exist yet.
   *
   * @returns false if the run has completed: a message can no longer change its end.
   * @throws {TemporalAwayError} if it is not certain that the run will get it.
   */
  async startWithMessage(run: RunStart, message: RunMessage): Promise<boolean> {
    // A terminated run has not completed, so the message starts another one.
    return await this.signalWithStart('ALLOW_DUPLICATE_FAILED_ONLY', run, message);
  }

  /**
   * Sends a message about an ended subject to its open run, or starts another run with it. A message that is sent twice
   * may reach two runs, one after the other.
   *
   * @throws {TemporalAwayError} if it is not certain that a run will get it.
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
    workflowIdReusePolicy: 'REJECT_DUPLICATE' | 'ALLOW_DUPLICATE_FAILED_ONLY' | 'ALLOW_DUPLICATE',
    run: RunStart,
  ): Promise<boolean> {
    const options = { ...this.optionsOf(run), workflowIdReusePolicy };
    return await isFirst(this.within(() => this.client.workflow.start(run.type, options)));
  }

  private optionsOf({ subject, type, input, summary, orderId, intent, orderedBy }: RunStart) {
    return {
      workflowId: workflowIdOf(subject),
      taskQueue: this.options.taskQueue,
      workflowTaskTimeout,
      args: [{ ...input, ...asNewRunsDo, ...consoleOriginIn({ type }, this.options) }],
      staticSummary: summary,
      ...(orderedBy && { memo: { orderedBy } }),
      typedSearchAttributes: [
        { key: searchAttributes.environment, value: subject.environment },
        { key: searchAttributes.application, value: subject.application },
        ...(orderId === undefined ? [] : [{ key: searchAttributes.orderId, value: orderId }]),
        { key: searchAttributes.intent, value: intent },
      ],
    };
  }

  /** The orders of an application's runs that were started since, as their runs keep them. */
  async *ordersSince({ environment, application }: Owned, since: Date): AsyncIterable<KeptOrder> {
    const query = `Environment = '${environment}' AND Application = '${application}' AND StartTime >= '${since.toISOString()}'`;
    for await (const { workflowId, memo, status } of this.client.workflow.list({ query })) {
      const orderedBy = memo?.['orderedBy'] as OrderedBy | undefined;
      const id = workflowId.split('/').at(-1) ?? '';
      if (orderedBy) yield { subjectId: id, isOpen: status.name === 'RUNNING', ...orderedBy };
    }
  }

  /**
   * The input of the latest run of a subject.
   *
   * @throws {TemporalAwayError}
   */
  async inputOf(subject: Subject): Promise<unknown> {
    return await this.within(() => readInput(this.client, workflowIdOf(subject)));
  }

  /** @throws {TemporalAwayError} */
  async assertReachable(): Promise<void> {
    await this.within(() => this.client.connection.workflowService.getSystemInfo({}));
  }

  private async within<T>(call: () => Promise<T>): Promise<T> {
    return await callWithin(this.client, this.options.deadlineMs, call);
  }
}

/** @returns false if the run was already started. */
async function isFirst(started: Promise<unknown>): Promise<boolean> {
  try {
    await started;
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
}
