import { readFileSync } from 'node:fs';
import { z } from 'zod';

const reportSchema = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(z.object({ status: z.string(), assertionResults: z.array(z.unknown()) })),
});

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/**
 * Counts of a vitest JSON report. What kept tests from running (a file that does not load, a service that does not
 * start, a skipped test) counts as failed: a test that did not run has shown nothing.
 * @param exitCode of vitest.
 */
export function countTests(reportFile: string, exitCode: number | null): TestCounts {
  const report = readReport(reportFile);
  if (!report) return { passed: 0, failed: 1 };
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + report.numPendingTests + unloaded;
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed };
}

export function countsLine({ passed, failed }: TestCounts): string {
  return `${passed} passed, ${failed} failed`;
}

function readReport(file: string): z.infer<typeof reportSchema> | undefined {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
