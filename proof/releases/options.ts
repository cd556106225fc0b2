import { randomInt } from 'node:crypto';
import { countIn, flag, parseOptions, text } from '#tools/command-options.js';
import type { ReleasesOptions } from './campaign.js';

type ChosenOptions = Pick<ReleasesOptions, 'changes' | 'seed' | 'horizonMs' | 'temporal' | 'isUnpatched'>;

const options = { changes: text, seed: text, 'horizon-ms': text, cluster: flag, unpatched: flag };
const usage =
  'npm run releases -- [--changes N] [--seed S] [--horizon-ms N] [--cluster] [--unpatched]: see docs/reliability.md';

/** @throws Failure that shows the usage, or names the option. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parseOptions(args, options, usage);
  return {
    changes: countIn(values, 'changes', 50),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    horizonMs: countIn(values, 'horizon-ms', 30_000),
    temporal: values.cluster ? 'production' : 'development',
    isUnpatched: values.unpatched ?? false,
  };
}
