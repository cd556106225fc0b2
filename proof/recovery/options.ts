import { randomInt } from 'node:crypto';
import { countIn, parseOptions, text } from '#tools/command-options.js';
import type { DrillOptions } from './drill.js';

export type ChosenOptions = Pick<DrillOptions, 'runs' | 'seed' | 'horizonMs' | 'awayMs'>;

const usage = 'npm run recover:drill -- [--runs N] [--seed S] [--horizon-ms N] [--away-ms N]';

/** @throws Failure that shows the usage, or names the option. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parseOptions(args, { runs: text, seed: text, 'horizon-ms': text, 'away-ms': text }, usage);
  return {
    runs: countIn(values, 'runs', 1_000),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    horizonMs: countIn(values, 'horizon-ms', 30_000),
    awayMs: countIn(values, 'away-ms', 10_000),
  };
}
