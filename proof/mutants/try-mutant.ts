import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { runToEnd } from '#tools/child-output.js';
import { Failure } from '#tools/failure.js';
import type { Mutant, Verdict } from './catalogue/mutant.js';
import type { Workspace } from './workspace.js';

const reportSchema = z.object({
  testResults: z.array(
    z.object({ assertionResults: z.array(z.object({ status: z.string(), fullName: z.string() })) }),
  ),
});

/** Runs a mutant's killers against it. */
export async function tryMutant(workspace: Workspace, mutant: Mutant, signal: AbortSignal): Promise<Verdict> {
  return await workspace.with(mutant, () => judge(workspace, mutant.killers, signal));
}

/** @throws Failure when the tests fail without any mutant: then nothing could be learned from their failing. */
export async function assertGreen(
  workspace: Workspace,
  killers: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const verdict = await judge(workspace, killers, signal);
  if (verdict.outcome === 'survived') return;
  const what = verdict.outcome === 'killed' ? verdict.by : 'a file that does not load';
  throw new Failure(`The tests fail without any mutant: ${what}`);
}

async function judge(
  workspace: Workspace,
  killers: readonly string[],
  signal: AbortSignal,
): Promise<Verdict> {
  const folder = mkdtempSync(join(tmpdir(), 'mutant-report-'));
  const report = join(folder, 'report.json');
  const entry = join(workspace.folder, 'node_modules/vitest/vitest.mjs');
  const options = ['--reporter=json', `--outputFile.json=${report}`, '--bail=1'];
  try {
    const { exitCode } = await runToEnd(
      {
        command: process.execPath,
        args: [entry, 'run', ...options, ...killers],
        isShown: false,
        cwd: workspace.folder,
      },
      signal,
    );
    return verdictOf(readReport(report), exitCode);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export function verdictOf(
  report: z.output<typeof reportSchema> | undefined,
  exitCode: number | null,
): Verdict {
  const results = report?.testResults.flatMap(({ assertionResults }) => assertionResults) ?? [];
  const failed = results.find(({ status }) => status === 'failed');
  if (failed) return { outcome: 'killed', by: failed.fullName };
  return exitCode === 0 && results.length > 0 ? { outcome: 'survived' } : { outcome: 'unloaded' };
}

function readReport(file: string): z.output<typeof reportSchema> | undefined {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
