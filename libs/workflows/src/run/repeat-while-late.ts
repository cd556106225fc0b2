import { sleep } from '@temporalio/workflow';
import type { LateTask } from '../contract/run.js';

/** The longest wait between repeats. If the server's clock was set back, each new task is older than the rows. */
const longestWaitMs = 60_000;

/**
 * Repeats an activity in another workflow task while its result is that a newer task has written (the rows accept no
 * write of an older task: docs/decisions/0018), or that the worker had no place for it.
 *
 * @param beginTask called when another task has begun.
 * @param made the first result, if the activity was carried out already.
 */
export async function repeatWhileLate<Result>(
  act: () => Promise<Result>,
  beginTask: (late: LateTask) => void,
  made?: { readonly result: Result },
): Promise<Exclude<Result, LateTask>> {
  let given = made;
  for (let waitMs = 1; ; waitMs = Math.min(waitMs * 10, longestWaitMs)) {
    const { result } = given ?? { result: await act() };
    given = undefined;
    if (!isLate(result)) return result as Exclude<Result, LateTask>;
    await sleep(result.comesAgainInMs ?? waitMs);
    beginTask(result);
  }
}

function isLate(result: unknown): result is LateTask {
  return typeof result === 'object' && result !== null && 'isLate' in result;
}
