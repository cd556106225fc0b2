import { parseArgs } from 'node:util';
import { Failure } from '#tools/failure.js';
import { mutants, quickMutants } from './catalogue/catalogue.js';
import type { Mutant } from './catalogue/mutant.js';

const usage = 'npm run mutants -- [--only <part of a name>]… [--quick]';

/** @throws Failure that shows the usage, or names what no mutant is called. */
export function chooseMutants(args: readonly string[]): readonly Mutant[] {
  const { only = [], quick = false } = parse(args);
  const candidates = quick ? quickMutants() : mutants;
  if (only.length === 0) return candidates;
  for (const part of only) {
    if (!candidates.some(({ name }) => name.includes(part)))
      throw new Failure(`No mutant is called ${part}.`);
  }
  return candidates.filter(({ name }) => only.some((part) => name.includes(part)));
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { only: { type: 'string', multiple: true }, quick: { type: 'boolean' } },
    }).values;
  } catch (error) {
    throw new Failure(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
  }
}
