import type { SourcePatch } from './build.js';

/** A defect that was found once, and how it is put back. */
export interface KnownDefect {
  readonly name: string;
  /** Where it is told of. */
  readonly source: string;
  readonly patches: readonly SourcePatch[];
  /** The promises that it breaks: only their violations count. */
  readonly breaks: readonly string[];
  /** Mended later, and hides it: put back as well, here and in the engine that it is compared with. */
  readonly hiddenBy?: readonly SourcePatch[];
}

/** Files that several defects are put back into. */
export const sources = {
  lookUpStep: 'apps/worker/src/steps/look-up-step.ts',
  attemptStep: 'apps/worker/src/steps/attempt-step.ts',
  stepRecord: 'apps/worker/src/steps/step-record.ts',
  rows: 'proof/simulator/rows/rows.ts',
} as const;
