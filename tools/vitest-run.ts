import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToEnd } from './child-output.js';
import { projectRoot } from './project.js';
import { countTests, type TestCounts } from './test-counts.js';

/** Runs vitest once with these arguments. */
export async function runVitest(
  args: readonly string[],
  { isShown, signal }: { isShown: boolean; signal: AbortSignal },
): Promise<TestCounts & { output: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'vitest-report-'));
  const reportFile = join(folder, 'report.json');
  // Where nobody watches, only what failed: a record of the output is often cut.
  const shown = process.env['CI'] ? 'minimal' : 'default';
  const reporters = [`--reporter=${shown}`, '--reporter=json', `--outputFile.json=${reportFile}`];
  const entry = join(projectRoot, 'node_modules/vitest/vitest.mjs');
  try {
    const { exitCode, output } = await runToEnd(
      { command: process.execPath, args: [entry, 'run', ...reporters, ...args], isShown },
      signal,
    );
    return { ...countTests(reportFile, exitCode), output };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
