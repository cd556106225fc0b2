import type { SourcePatch } from './build.js';

/** A defect that was found once, and how it is put back. */
export interface KnownDefect {
  readonly name: string;
  /** Where it is told of. */
  readonly source: string;
  readonly patches: readonly SourcePatch[];
  /** The promises that it breaks: only their violations count. */
  readonly breaks: readonly string[];
  /** A later correction that hides the defect: it is also undone, here and in the engine for comparison. */
  readonly hiddenBy?: readonly SourcePatch[];
}

/** Files that several defects are put back into. */
export const sources = {
  lookUpStep: 'apps/worker/src/steps/lookups/look-up-step.ts',
  attemptStep: 'apps/worker/src/steps/attempts/attempt-step.ts',
  stepRecord: 'apps/worker/src/steps/attempts/step-record.ts',
  rows: 'proof/simulator/rows/rows.ts',
  run: 'libs/workflows/src/run/lifecycle-run.ts',
} as const;

/** That money moves only when its cause is in the history: a correction that hides several earlier defects. */
export const unpersistedCauses: SourcePatch = {
  file: sources.run,
  find: 'if (!this.causeNotInHistory) return;',
  replace: 'if (this.callsMade >= 0) return;',
};
