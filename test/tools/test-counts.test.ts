import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { countTests } from '#tools/test-counts.js';

describe('the count of tests', () => {
  let file: string;
  beforeEach(() => {
    file = join(mkdtempSync(join(tmpdir(), 'test-counts-')), 'report.json');
  });
  afterEach(() => rmSync(join(file, '..'), { recursive: true }));

  function report(figures: {
    passed?: number;
    failed?: number;
    pending?: number;
    unloadedFiles?: number;
  }): void {
    const unloaded = { status: 'failed', assertionResults: [] };
    writeFileSync(
      file,
      JSON.stringify({
        success: true,
        numPassedTests: figures.passed ?? 0,
        numFailedTests: figures.failed ?? 0,
        numPendingTests: figures.pending ?? 0,
        testResults: Array.from({ length: figures.unloadedFiles ?? 0 }, () => unloaded),
      }),
    );
  }

  it('is that of the report', () => {
    report({ passed: 12, failed: 2 });
    expect(countTests(file, 1)).toEqual({ passed: 12, failed: 2 });
  });

  it('holds a file that did not load, and a skipped test, for failed', () => {
    report({ passed: 12, pending: 1, unloadedFiles: 1 });
    expect(countTests(file, 1)).toEqual({ passed: 12, failed: 2 });
  });

  it('holds an exit code without a failed test for a failure', () => {
    report({ passed: 12 });
    expect(countTests(file, 1)).toEqual({ passed: 12, failed: 1 });
    expect(countTests(file, null)).toEqual({ passed: 12, failed: 1 });
  });

  it('holds a run without a report for a failure', () => {
    expect(countTests(file, 0)).toEqual({ passed: 0, failed: 1 });
  });
});
