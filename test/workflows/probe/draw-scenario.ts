import { Draws } from '#proof/simulator/core/draws.js';
import { taskTimeoutMs } from '#proof/simulator/temporal/task-timeout.js';
import type { Chapter } from './scenario.js';

/** A scenario from a seed: some words, of which the last one ends the run, and what comes in between. */
export function drawScenario(seed: number): readonly Chapter[] {
  const draws = new Draws(seed);
  let words = 0;
  const named = (kind: string) => `${kind} ${(words += 1)}`;
  const length = draws.between('length', 2, 4);
  const way = () => draws.pick('way', ['told', 'told', 'asked'] as const);
  return Array.from({ length }, (_, at): Chapter => {
    const isLast = at === length - 1;
    const kind = isLast ? 'end' : draws.pick('kind', ['near', 'far', 'sure', 'hasty', 'anew']);
    const count = draws.pick('meanwhile', [0, 1, 1, 2]);
    const isKill = draws.chance('kill', 0.2) && kind !== 'far';
    return {
      word: named(kind),
      as: isLast ? 'told' : way(),
      // Beyond the moment when a worker shows that its task lives: what came during it is seen before the activity ends.
      heldMs: isKill || draws.chance('short', 0.7) ? 0 : Math.round(0.95 * taskTimeoutMs),
      meanwhile: Array.from({ length: count }, () => ({
        word: named(draws.pick('meanwhile kind', ['near', 'near', 'bad'])),
        as: way(),
      })),
      ...(isKill && { killsWorker: true as const }),
    };
  });
}
