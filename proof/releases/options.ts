import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '#tools/failure.js';
import type { ReleasesOptions } from './campaign.js';

type ChosenOptions = Pick<ReleasesOptions, 'changes' | 'seed' | 'horizonMs' | 'temporal' | 'isUnpatched'>;

const usage =
  'npm run releases -- [--changes N] [--seed S] [--horizon-ms N] [--cluster] [--unpatched]: see docs/reliability.md';

/** @throws Failure that shows the usage. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parse(args);
  const number = (name: 'changes' | 'horizon-ms', fallback: number): number => {
    const text = values[name] ?? String(fallback);
    if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
    throw new Failure(`--${name} must be a whole number of at least 1, not "${text}".`);
  };
  return {
    changes: number('changes', 50),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    horizonMs: number('horizon-ms', 30_000),
    temporal: values.cluster ? 'production' : 'development',
    isUnpatched: values.unpatched ?? false,
  };
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const options = {
    changes: option,
    seed: option,
    'horizon-ms': option,
    cluster: flag,
    unpatched: flag,
  };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
