import type { Replacement } from '../../breakages/replace-code.js';

/** The engine broken on purpose in one place. */
export interface Mutant {
  /** Kebab-case; `--only` chooses by it. */
  readonly name: string;
  /** What may happen to somebody's money, or to what we know of it, where the engine is broken like this. */
  readonly harm: string;
  /** Within the clone. */
  readonly file: string;
  readonly changes: readonly Replacement[];
  /** Test files of which at least one must fail; the quickest that does. */
  readonly killers: readonly string[];
}

export type Verdict =
  | { readonly outcome: 'killed'; readonly by: string }
  | { readonly outcome: 'survived' }
  /** No test ran: the mutant shows nothing about the tests. */
  | { readonly outcome: 'unloaded' };

interface Breakage extends Replacement {
  readonly name: string;
  readonly harm: string;
  /** Further changes, without which the broken code would not run. */
  readonly also?: readonly Replacement[];
}

/** Mutants of one file which the same tests must kill. */
export function mutantsOf(
  { file, killers }: Pick<Mutant, 'file' | 'killers'>,
  breakages: readonly Breakage[],
): Mutant[] {
  return breakages.map(({ name, harm, also = [], ...change }) => ({
    name,
    harm,
    file,
    killers,
    changes: [change, ...also],
  }));
}
