import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '#tools/failure.js';
import type { DrillOptions } from './drill.js';

export type ChosenOptions = Pick<DrillOptions, 'runs' | 'seed' | 'horizonMs' | 'awayMs'>;

const usage = 'npm run recover:drill -- [--runs N] [--seed S] [--horizon-ms N] [--away-ms N]';

/** @throws Failure that shows the usage. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parse(args);
  const number = (name: 'runs' | 'horizon-ms' | 'away-ms', fallback: number): number => {
    const text = values[name] ?? String(fallback);
    if (/^\d{1,7}$/.test(text) && Number(text) > 0) return Number(text);
    throw new Failure(`--${name} must be a whole number of at least 1, not "${text}".`);
  };
  return {
    runs: number('runs', 1_000),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    horizonMs: number('horizon-ms', 30_000),
    awayMs: number('away-ms', 10_000),
  };
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  const options = { runs: option, seed: option, 'horizon-ms': option, 'away-ms': option };
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
