import type { AfterEndInput, RunMessage } from '../contract/run.js';
import type { Position } from '../lifecycle/progress.js';

/**
 * @param find where it stands, by its rows.
 * @returns the input to go on with: the same, but for a run that is started after the end.
 */
export async function fromRows<
  State,
  Message extends RunMessage,
  Input extends AfterEndInput<State, Message>,
>(input: Input, find: () => Promise<Position<State>>): Promise<Input> {
  if (input.hasEnded !== true || input.continued) return input;
  return { ...input, continued: { ...(await find()), seen: [], waiting: [] } };
}
