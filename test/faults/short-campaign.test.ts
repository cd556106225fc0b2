import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { chooseLifecycles } from '#proof/faults/campaign/campaign-lifecycles.js';
import { failuresOf, summaryOf } from '#proof/faults/campaign/campaign-report.js';
import { runCampaign } from '#proof/faults/campaign/campaign.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';

describe('a short campaign of faults', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'faults-'));
  afterAll(() => deleteDataFolder(dataFolder));

  it('case 17: loses and doubles nothing while a worker, an API process, PostgreSQL and the provider are killed', async ({
    signal,
  }) => {
    const lines: string[] = [];
    const report = await runCampaign({
      lifecycles: 14,
      mix: chooseLifecycles('authorize,sale,signalled,deadline,subscription-deadline,refund,payout'),
      seed: 'short campaign',
      dataFolder,
      concurrency: 5,
      horizonMs: 5_000,
      workers: 1,
      apis: 1,
      report: (line) => lines.push(line),
      signal,
    });
    expect(report.discrepancies, lines.join('\n')).toEqual([]);
    expect(failuresOf(report), lines.join('\n')).toEqual([]);
    expect(report.count.kills).toEqual({ worker: 1, api: 1, sandbox: 1, temporal: 0, postgres: 1 });
    expect(summaryOf(report)).toMatchObject({ lifecycles: 14, lost: 0, doubled: 0, stuck: 0, fsync: 'on' });
    const { notifications } = summaryOf(report);
    expect(notifications).toMatchObject({ lost: 0, outOfOrder: 0, beforeTheFact: 0 });
  }, 900_000);
});
