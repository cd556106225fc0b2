import type { AfterEndInput, RunMessage } from '../contract/run.js';
import type { Position } from '../lifecycle/progress.js';

/**
 * @param told grows with what the run is told until its rows are found.
 * @param find where it stands, by its rows.
 * @returns the input to go on with: the same, but for a run that is started after the end.
 */
export async function fromRows<
  State,
  Message extends RunMessage,
  Input extends AfterEndInput<State, Message>,
>(input: Input, told: readonly RunMessage[], find: () => Promise<Position<State>>): Promise<Input> {
  if (input.hasEnded !== true || input.continued) return input;
  const position = await find();
  return { ...input, continued: { ...position, seen: told.map(({ id }) => id), waiting: told } };
}
