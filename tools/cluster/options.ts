import { countIn, parseOptions, text } from '../command-options.js';

/** How many processes of each. */
export interface ClusterSize {
  readonly workers: number;
  readonly apis: number;
}

const usage = 'npm run cluster -- [--workers N] [--apis N]';
const most = 64;

/** @throws Failure that shows the usage, or names the option. */
export function readClusterSize(args: readonly string[]): ClusterSize {
  const values = parseOptions(args, { workers: text, apis: text }, usage);
  return { workers: countIn(values, 'workers', 2, { most }), apis: countIn(values, 'apis', 2, { most }) };
}
