import type { SandboxContext } from '../sandbox-context.js';
import { reasonOf } from './recurring-task.js';

/**
 * Carries out what has become due, one after the other. What fails is logged and stays due; it holds up nothing else.
 * True when something was done: then more may be waiting.
 */
export async function carryOut<Due>(
  context: SandboxContext,
  due: readonly Due[],
  act: (one: Due) => Promise<void>,
): Promise<boolean> {
  let isSomethingDone = false;
  for (const one of due) {
    try {
      await act(one);
      isSomethingDone = true;
    } catch (error) {
      context.logger.error({ reason: reasonOf(error) }, 'something due could not be carried out');
    }
  }
  if (isSomethingDone) context.wakeDeliveries();
  return isSomethingDone;
}
