import { type Outcome, simulateWorld } from './simulate.js';

/** The trace of a violation with the fewest faults that break the same promise in the same way. */
export async function shortestTrace(seed: number, oracles?: readonly string[]): Promise<Outcome> {
  let shortest = await simulateWorld(seed, { isTold: true });
  const wanted = shortest.violations.find(({ oracle }) => oracles?.includes(oracle) ?? true);
  if (!wanted) return shortest;
  for (let isShorter = true; isShorter;) {
    isShorter = false;
    for (const { id } of shortest.faults) {
      const allowed = new Set(shortest.faults.map((fault) => fault.id).filter((kept) => kept !== id));
      const tried = await simulateWorld(seed, { isTold: true, allowed });
      if (tried.faults.length >= shortest.faults.length) continue;
      if (!tried.violations.some(({ oracle }) => oracle === wanted.oracle)) continue;
      shortest = tried;
      isShorter = true;
      break;
    }
  }
  return shortest;
}

/** In words, one line for each thing that happened. */
export function inWords({ seed, trace, faults, violations, startedAt }: Outcome): string {
  const seconds = (at: number) => `${((at - startedAt) / 1_000).toFixed(3).padStart(12)} s  `;
  return [
    `world ${seed}: ${violations.map(({ oracle, words }) => `${oracle}: ${words}`).join('; ')}`,
    ...(faults.length === 0 ? ['Nothing went wrong in this world.'] : ['What went wrong:']),
    ...faults.map(({ at, words, id }) => `${seconds(at)}${words} (${id})`),
    'What happened:',
    ...trace.map(({ at, words }) => seconds(at) + words),
  ].join('\n');
}
