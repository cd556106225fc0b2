import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { failuresOf, summaryOf } from '#proof/recovery/drill-report.js';
import { runDrill } from '#proof/recovery/drill.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';

describe('a short drill', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'drill-'));
  afterAll(() => deleteDataFolder(dataFolder));

  it('loses, doubles and forgets nothing when Temporal’s store is deleted under open runs and load', async ({
    signal,
  }) => {
    const lines: string[] = [];
    const runs = 20;
    const report = await runDrill({
      runs,
      seed: 'short drill',
      dataFolder,
      horizonMs: 5_000,
      awayMs: 3_000,
      report: (line) => lines.push(line),
      signal,
    });
    expect(report.discrepancies, lines.join('\n')).toEqual([]);
    expect(report.forgotten).toEqual([]);
    expect(failuresOf(report, runs), lines.join('\n')).toEqual([]);
    expect(summaryOf(report)).toMatchObject({ lost: 0, doubled: 0, stuck: 0 });
  }, 900_000);
});
