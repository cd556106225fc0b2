import { parseArgs } from 'node:util';
import { Failure } from '../failure.js';

/** How many processes of each. */
export interface ClusterSize {
  readonly workers: number;
  readonly apis: number;
}

const usage = 'npm run cluster -- [--workers N] [--apis N]';
const most = 64;

/** @throws Failure that shows the usage. */
export function readClusterSize(args: readonly string[]): ClusterSize {
  const values = parse(args);
  const count = (name: keyof typeof values): number => {
    const text = values[name] ?? '2';
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < 1 || value > most)
      throw new Failure(`--${name} must be a whole number from 1 to ${most}, not "${text}".\n${usage}`);
    return value;
  };
  return { workers: count('workers'), apis: count('apis') };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: { workers: { type: 'string' }, apis: { type: 'string' } } })
      .values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
