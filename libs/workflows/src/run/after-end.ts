import type { AfterEndInput, RunMessage } from '../contract/run.js';
import type { Position } from '../lifecycle/progress.js';

/**
 * Adds the position of the rows to the input of a run that is started after the subject's end.
 *
 * @param find reads the position from the rows.
 * @returns the same input for any other run.
 */
export async function fromRows<
  State,
  Message extends RunMessage,
  Input extends AfterEndInput<State, Message>,
>(input: Input, find: () => Promise<Position<State>>): Promise<Input> {
  if (input.hasEnded !== true || input.continued) return input;
  return { ...input, continued: { ...(await find()), seen: [], waiting: [] } };
}
