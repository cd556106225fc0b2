import { setTimeout as sleep } from 'node:timers/promises';
import type { Mutant, Verdict } from './catalogue/mutant.js';
import { assertGreen, tryMutant } from './try-mutant.js';
import { Workspace } from './workspace.js';

export interface Trial {
  readonly mutant: Mutant;
  readonly verdict: Verdict;
  readonly seconds: number;
}

/** Far longer than the slowest killers need: a mutant that makes them hang does not count as killed. */
const longestTrialMs = 10 * 60_000;

/**
 * Breaks a copy of the engine in one place at a time and runs the tests that must notice.
 *
 * @param folder for the copy; what is there is deleted.
 * @throws Failure when the tests fail without any mutant, or a mutant's text is not in the sources any more.
 */
export async function runMutants(
  chosen: readonly Mutant[],
  { folder, signal, report }: { folder: string; signal: AbortSignal; report: (trial: Trial) => void },
): Promise<Trial[]> {
  const workspace = Workspace.create(folder);
  const trials: Trial[] = [];
  try {
    workspace.assertFits(chosen);
    await assertGreen(workspace, [...new Set(chosen.flatMap(({ killers }) => killers))], signal);
    for (const mutant of chosen) {
      signal.throwIfAborted();
      const trial = await time(mutant, tryMutant(workspace, mutant, within(longestTrialMs, signal)));
      report(trial);
      trials.push(trial);
    }
    return trials;
  } finally {
    // Databases of a test run that was stopped need a moment to go.
    if (signal.aborted) await sleep(1_000);
    workspace.delete();
  }
}

async function time(mutant: Mutant, trial: Promise<Verdict>): Promise<Trial> {
  const startedAt = Date.now();
  const verdict = await trial;
  return { mutant, verdict, seconds: (Date.now() - startedAt) / 1_000 };
}

function within(ms: number, signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ms)]);
}
