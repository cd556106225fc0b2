import type { Worker } from '@temporalio/worker';

const lookEveryMs = 1_000;

/** The worker failed, and the SDK does not come to an end with it. */
export class WorkerFailed extends Error {
  override readonly name = 'WorkerFailed';
}

/**
 * Runs a worker to its end. When a poll is refused for good (Temporal has no such namespace, say) while runs are in the
 * cache, the worker fails, but `run()` of the SDK (1.24) waits for ever for their evictions: a process that polls nothing
 * would live on. So a worker that has failed is given up after a time.
 *
 * @throws what `run()` throws, or WorkerFailed.
 */
export async function pollToEnd(
  worker: Pick<Worker, 'run' | 'getState'>,
  givenUpAfterMs: number,
): Promise<void> {
  let watch: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_, reject) => {
    let failedForMs = 0;
    watch = setInterval(() => {
      if (worker.getState() !== 'FAILED') return;
      failedForMs += lookEveryMs;
      if (failedForMs > givenUpAfterMs) reject(new WorkerFailed());
    }, lookEveryMs);
  });
  try {
    await Promise.race([worker.run(), givenUp]);
  } catch (error) {
    if (!isUndisposed(error)) throw error;
  } finally {
    clearInterval(watch);
  }
}

/**
 * The SDK (1.24) ends the thread of workflows last, and complains if it has not yet disposed of a run whose task has
 * failed: all has been polled, and the thread ends with what is left.
 */
function isUndisposed(error: unknown): boolean {
  return (
    error instanceof Error &&
    error.name === 'IllegalStateError' &&
    error.message === 'Workflow execution context should have been disposed first'
  );
}
