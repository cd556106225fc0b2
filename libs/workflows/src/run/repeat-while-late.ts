import { sleep } from '@temporalio/workflow';
import type { LateTask } from '../contract/run.js';
import { waitBeforeRepeat } from './wait-before-repeat.js';

/**
 * Repeats an activity in another workflow task while its result is that a newer task has written (the rows accept no
 * write of an older task: docs/decisions/0018), that the worker had no place for it, or that it has failed again and
 * again.
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
  for (let repeats = 0; ; repeats += 1) {
    const { result } = given ?? { result: await act() };
    given = undefined;
    if (!isLate(result)) return result as Exclude<Result, LateTask>;
    await sleep(waitBeforeRepeat(result, repeats));
    beginTask(result);
  }
}

function isLate(result: unknown): result is LateTask {
  return typeof result === 'object' && result !== null && 'isLate' in result;
}
