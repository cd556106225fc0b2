import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { runReleases } from '#proof/releases/campaign.js';
import { failuresOf, type ReleasesReport, summaryOf } from '#proof/releases/report.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';

describe('a short campaign of releases', () => {
  let dataFolder = '';
  afterEach(() => deleteDataFolder(dataFolder));

  async function campaign(
    options: Pick<Parameters<typeof runReleases>[0], 'changes' | 'isUnpatched' | 'signal'>,
  ): Promise<{ readonly report: ReleasesReport; readonly lines: string }> {
    dataFolder = mkdtempSync(join(tmpdir(), 'releases-'));
    const lines: string[] = [];
    const report = await runReleases({
      ...options,
      seed: 'short campaign',
      dataFolder,
      horizonMs: 5_000,
      report: (line) => lines.push(line),
    });
    return { report, lines: lines.join('\n') };
  }

  it('blocks no run, and loses and doubles nothing, while releases with a patch come and go', async ({
    signal,
  }) => {
    const { report, lines } = await campaign({ changes: 4, isUnpatched: false, signal });
    expect(report.discrepancies, lines).toEqual([]);
    // How long calls took says something about the machine, too.
    const delays = { ...report.delays, longestMs: 0 };
    expect(failuresOf({ ...report, delays }), lines).toEqual([]);
    expect(summaryOf(report)).toMatchObject({
      changes: 4,
      nonDeterministic: 0,
      lost: 0,
      doubled: 0,
      stuck: 0,
    });
  }, 1_800_000);

  it('finds non-determinism when releases change the code of workflows without a patch', async ({
    signal,
  }) => {
    const { report } = await campaign({ changes: 1, isUnpatched: true, signal });
    expect(summaryOf(report)['nonDeterministic']).toBeGreaterThan(0);
    expect(report.histories.nonDeterministic).toBeGreaterThan(0);
    expect(report.reported).toBeGreaterThan(0);
  }, 1_800_000);
});
