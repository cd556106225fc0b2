import { randomInt } from 'node:crypto';
import { countIn, flag, parseOptions, text } from '#tools/command-options.js';
import type { DrillOptions } from './drill.js';

export type ChosenOptions = Pick<DrillOptions, 'runs' | 'seed' | 'horizonMs' | 'awayMs' | 'temporal'>;

const options = { runs: text, seed: text, 'horizon-ms': text, 'away-ms': text, cluster: flag };
const usage = 'npm run recover:drill -- [--runs N] [--seed S] [--horizon-ms N] [--away-ms N] [--cluster]';

/** @throws Failure that shows the usage, or names the option. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parseOptions(args, options, usage);
  return {
    runs: countIn(values, 'runs', 1_000),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    horizonMs: countIn(values, 'horizon-ms', 30_000),
    awayMs: countIn(values, 'away-ms', 10_000),
    temporal: values.cluster ? 'production' : 'development',
  };
}
