import type { Random } from '../random.js';

/**
 * What a receiver does with one delivery:
 *
 * - `take`: answers 204. `takeSlowly`: the same, within the time that the engine waits.
 * - `refuse`: answers 500.
 * - `answerLate`: answers 204 after the engine has given up.
 * - `breakOff`: keeps it and breaks the connection off before it has answered.
 */
export type Handling = 'take' | 'takeSlowly' | 'refuse' | 'answerLate' | 'breakOff';

const ofFirst: readonly (readonly [Handling, number])[] = [
  ['take', 73],
  ['takeSlowly', 6],
  ['refuse', 12],
  ['answerLate', 2],
  ['breakOff', 7],
];
/** The second wait of the engine is five minutes: few deliveries come to that. */
const ofOthers: readonly (readonly [Handling, number])[] = [
  ['take', 94],
  ['refuse', 3],
  ['breakOff', 3],
];

/** How often receivers have failed, by kind. */
export interface ReceiverFaults {
  readonly refused: number;
  readonly late: number;
  readonly brokenOff: number;
  readonly died: number;
}

/** @param isFirst whether the notification has not come before. */
export function drawHandling(random: Random, isFirst: boolean): Handling {
  return random.weighted(isFirst ? ofFirst : ofOthers);
}

export interface Death {
  readonly afterMs: number;
  readonly forMs: number;
}

/** Each receiver dies soon once, so that a short campaign has it too. */
export function drawDeath(random: Random, isFirst: boolean): Death {
  const afterMs = isFirst ? random.integer(4_000, 20_000) : random.integer(20_000, 60_000);
  return { afterMs, forMs: random.integer(2_000, 8_000) };
}
