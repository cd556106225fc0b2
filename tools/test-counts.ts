import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { z } from 'zod';
import { projectRoot } from './project.js';

const reportSchema = z.object({
  success: z.boolean(),
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string(),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.array(z.string()) }),
      ),
    }),
  ),
});

/** More of them have one cause. */
const mostNamed = 20;

type Report = z.infer<typeof reportSchema>;

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** What failed, a line each: the file, the test, and the first line of why. */
  readonly failures: readonly string[];
}

/**
 * Counts of a vitest JSON report. What kept tests from running (a file that does not load, a service that does not
 * start, a skipped test) counts as failed: a test that did not run has shown nothing.
 * @param exitCode of vitest.
 */
export function countTests(reportFile: string, exitCode: number | null): TestCounts {
  const report = readReport(reportFile);
  if (!report) return { passed: 0, failed: 1, failures: ['The tests ended without a report.'] };
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.length === 0,
  ).length;
  const failed = report.numFailedTests + report.numPendingTests + unloaded;
  const failures = failuresIn(report);
  if (failed > 0 || exitCode === 0) return { passed: report.numPassedTests, failed, failures };
  return { passed: report.numPassedTests, failed: 1, failures: [`Vitest ended with code ${exitCode}.`] };
}

/** What is printed at the very end, because a record of the output is often cut: what failed, and the counts. */
export function summaryOf(counts: TestCounts): string {
  const failed = counts.failures.slice(0, mostNamed).map((failure) => `failed: ${failure}\n`);
  return `${failed.join('')}${countsLine(counts)}\n`;
}

export function countsLine({ passed, failed }: Pick<TestCounts, 'passed' | 'failed'>): string {
  return `${passed} passed, ${failed} failed`;
}

function failuresIn({ testResults }: Report): string[] {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(projectRoot, name);
    if (status === 'failed' && assertionResults.length === 0)
      return [`${file}: did not load: ${firstLine(message)}`];
    return assertionResults
      .filter((test) => test.status !== 'passed')
      .map((test) => `${file}: ${test.fullName}: ${firstLine(test.failureMessages[0] ?? test.status)}`);
  });
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? '';
}

function readReport(file: string): Report | undefined {
  try {
    return reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return undefined;
  }
}
