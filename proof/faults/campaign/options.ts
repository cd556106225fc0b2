import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { Failure } from '#tools/failure.js';
import { chooseLifecycles } from './campaign-lifecycles.js';
import type { CampaignOptions } from './campaign.js';

export type ChosenOptions = Pick<
  CampaignOptions,
  'lifecycles' | 'mix' | 'seed' | 'concurrency' | 'horizonMs' | 'workers' | 'apis' | 'temporal'
>;

const usage =
  'npm run faults -- [--lifecycles N] [--mix all|sale,refund,…] [--seed S] [--concurrency N] [--horizon-ms N] [--workers N] [--apis N] [--cluster]';

/** @throws Failure that shows the usage. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parse(args);
  const number = (
    name: Exclude<keyof typeof values, 'cluster' | 'mix'>,
    fallback: number,
    least: number,
  ): number => {
    const text = values[name];
    if (text === undefined) return fallback;
    const value = Number(text);
    if (!/^\d{1,7}$/.test(text) || value < least) {
      throw new Failure(`--${name} must be a whole number of at least ${least}, not "${text}".`);
    }
    return value;
  };
  return {
    lifecycles: number('lifecycles', 100, 1),
    mix: chooseLifecycles(values.mix ?? 'authorize'),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    concurrency: number('concurrency', 12, 1),
    horizonMs: number('horizon-ms', 30_000, 1_000),
    workers: number('workers', 2, 1),
    apis: number('apis', 2, 1),
    temporal: values.cluster ? 'production' : 'development',
  };
}

function parse(args: readonly string[]) {
  const option = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...args],
      options: {
        lifecycles: option,
        mix: option,
        seed: option,
        concurrency: option,
        'horizon-ms': option,
        workers: option,
        apis: option,
        cluster: { type: 'boolean' },
      },
    }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
