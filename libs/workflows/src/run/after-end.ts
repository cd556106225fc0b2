import type { Continued, RunMessage } from '../contract/run.js';
import type { Position } from '../lifecycle/progress.js';

/** What a run is started with that goes on from rows which say that its subject has ended. */
export interface AfterEndInput<State, Message> {
  /**
   * Started by an event of what has ended: it reads once more, and goes on from the rows as it finds them, which another
   * such run may have written since it was asked for.
   */
  readonly hasEnded?: true;
  /** Set when the run goes on from another one, or from the rows. */
  readonly continued?: Continued<State, Message>;
}

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
