import { sleep } from '@temporalio/workflow';
import type { LateTask } from '../contract/run.js';

/** Between tries where the server's clock was set back: then each task is older than what is written. */
const longestWaitMs = 60_000;

/**
 * Does something again in another workflow task where a newer one has written since this one began: the rows take nothing
 * from an older one (docs/decisions/0018).
 *
 * @param beginTask told when another task has begun.
 */
export async function inTime<Result>(
  act: () => Promise<Result>,
  beginTask: () => void,
): Promise<Exclude<Result, LateTask>> {
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 10, longestWaitMs)) {
    const result = await act();
    if (!isLate(result)) return result as Exclude<Result, LateTask>;
    await sleep(waitMs);
    beginTask();
  }
}

function isLate(result: unknown): result is LateTask {
  return typeof result === 'object' && result !== null && 'isLate' in result;
}
