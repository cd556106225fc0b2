import { randomInt } from 'node:crypto';
import { countIn, flag, parseOptions, text } from '#tools/command-options.js';
import { chooseLifecycles } from './campaign-lifecycles.js';
import type { CampaignOptions } from './campaign.js';

export type ChosenOptions = Pick<
  CampaignOptions,
  'lifecycles' | 'mix' | 'seed' | 'concurrency' | 'horizonMs' | 'workers' | 'apis' | 'temporal'
>;

const options = {
  lifecycles: text,
  mix: text,
  seed: text,
  concurrency: text,
  'horizon-ms': text,
  workers: text,
  apis: text,
  cluster: flag,
};
const usage =
  'npm run faults -- [--lifecycles N] [--mix all|sale,refund,…] [--seed S] [--concurrency N] [--horizon-ms N] [--workers N] [--apis N] [--cluster]';

/** @throws Failure that shows the usage, or names the option. */
export function readOptions(args: readonly string[]): ChosenOptions {
  const values = parseOptions(args, options, usage);
  return {
    lifecycles: countIn(values, 'lifecycles', 100),
    mix: chooseLifecycles(values.mix ?? 'authorize'),
    seed: values.seed ?? String(randomInt(2 ** 32)),
    concurrency: countIn(values, 'concurrency', 12),
    horizonMs: countIn(values, 'horizon-ms', 30_000, { least: 1_000 }),
    workers: countIn(values, 'workers', 2),
    apis: countIn(values, 'apis', 2),
    temporal: values.cluster ? 'production' : 'development',
  };
}
