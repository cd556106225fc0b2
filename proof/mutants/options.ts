import { flag, parseOptions } from '#tools/command-options.js';
import { Failure } from '#tools/failure.js';
import { mutants, quickMutants } from './catalogue/catalogue.js';
import type { Mutant } from './catalogue/mutant.js';

const options = { only: { type: 'string', multiple: true }, quick: flag } as const;
const usage = 'npm run mutants -- [--only <part of a name>]… [--quick]';

/** @throws Failure that shows the usage, or names what no mutant is called. */
export function chooseMutants(args: readonly string[]): readonly Mutant[] {
  const { only = [], quick = false } = parseOptions(args, options, usage);
  const candidates = quick ? quickMutants() : mutants;
  if (only.length === 0) return candidates;
  for (const part of only) {
    if (!candidates.some(({ name }) => name.includes(part)))
      throw new Failure(`No mutant is called ${part}.`);
  }
  return candidates.filter(({ name }) => only.some((part) => name.includes(part)));
}
