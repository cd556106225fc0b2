import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { projectRoot } from '#tools/project.js';
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
    const unloaded = {
      name: join(projectRoot, 'a.test.ts'),
      status: 'failed',
      message: 'no b.js\n at c',
      assertionResults: [],
    };
    const pending = { fullName: 'is skipped', status: 'pending', failureMessages: [] };
    const broken = { fullName: 'adds up', status: 'failed', failureMessages: ['expected 3\n at sum'] };
    const assertionResults = [
      ...Array.from({ length: figures.failed ?? 0 }, () => broken),
      ...Array.from({ length: figures.pending ?? 0 }, () => pending),
    ];
    const ran = { name: join(projectRoot, 'd.test.ts'), status: 'passed', message: '', assertionResults };
    writeFileSync(
      file,
      JSON.stringify({
        success: true,
        numPassedTests: figures.passed ?? 0,
        numFailedTests: figures.failed ?? 0,
        numPendingTests: figures.pending ?? 0,
        testResults: [...Array.from({ length: figures.unloadedFiles ?? 0 }, () => unloaded), ran],
      }),
    );
  }

  it('is that of the report', () => {
    report({ passed: 12, failed: 2 });
    const failures = Array.from({ length: 2 }, () => 'd.test.ts: adds up: expected 3');
    expect(countTests(file, 1)).toEqual({ passed: 12, failed: 2, failures });
  });

  it('counts a file that did not load, and a skipped test, as failed', () => {
    report({ passed: 12, pending: 1, unloadedFiles: 1 });
    const failures = ['a.test.ts: did not load: no b.js', 'd.test.ts: is skipped: pending'];
    expect(countTests(file, 1)).toEqual({ passed: 12, failed: 2, failures });
  });

  it('counts an exit code without a failed test as a failure', () => {
    report({ passed: 12 });
    expect(countTests(file, 1)).toEqual({ passed: 12, failed: 1, failures: ['Vitest ended with code 1.'] });
    expect(countTests(file, null)).toMatchObject({ passed: 12, failed: 1 });
  });

  it('counts a run without a report as a failure', () => {
    expect(countTests(file, 0)).toMatchObject({ passed: 0, failed: 1 });
  });
});
