import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@temporalio/client';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { Supervisor } from '#tools/supervisor.js';
import { startProductionTemporal, type ProductionTemporal } from '#tools/cluster/production-temporal.js';
import { findClusterPrograms, isServerCached } from '#tools/cluster/programs.js';
import { registerSearchAttributes } from '#tools/temporal-server.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { searchAttributeNames } from '#runs';
import { connectToTemporal } from '../helpers/temporal.js';

/** What is there is judged, but nothing is built for it: that would take a cold machine longer than all other tests. */
if (isServerCached()) describeServer();

it('is not built without Go: one sentence says what to do', async () => {
  vi.stubEnv('PATH', '');
  vi.stubEnv('XDG_CACHE_HOME', mkdtempSync(join(tmpdir(), 'empty-cache-')));
  const finding = findClusterPrograms({ webUi: true, report: () => {}, signal: undefined });
  await expect(finding).rejects.toThrow(
    /^There is no Go here: the cluster needs .*, which Go \(.*\) builds once/,
  );
  vi.unstubAllEnvs();
});

function describeServer(): void {
  describe("Temporal's server on PostgreSQL", () => {
    const dataFolder = mkdtempSync(join(tmpdir(), 'production-temporal-'));
    let supervisor: Supervisor;

    afterEach(async () => {
      await supervisor.stopAll();
      deleteDataFolder(dataFolder);
    });

    it('keeps runs and their search attributes when it and its store are killed with -9, and when all starts again', async () => {
      const temporal = await start();
      await startRun(temporal, 'run-1');
      await expect.poll(() => runsOf(temporal, 'order-1')).toEqual(['run-1']);

      await Promise.all([temporal.process.kill(), temporal.postgres.crash()]);
      await temporal.postgres.process.start();
      await temporal.process.start();
      await startRun(temporal, 'run-2');
      await expect.poll(() => runsOf(temporal, 'order-1')).toEqual(['run-1', 'run-2']);

      // At once, and at other ports: members of the cluster that were there a moment ago are not waited for.
      await supervisor.stopAll();
      const again = await start();
      expect(await runsOf(again, 'order-1')).toEqual(['run-1', 'run-2']);
    });

    it('starts empty when its store was deleted after it was killed, and then takes runs', async () => {
      const temporal = await start();
      await startRun(temporal, 'run-1');
      await expect.poll(() => runsOf(temporal, 'order-1')).toEqual(['run-1']);

      await temporal.process.kill();
      await temporal.deleteStore();
      await temporal.process.start();
      await registerSearchAttributes(temporal.address, searchAttributeNames);
      expect(await runsOf(temporal, 'order-1')).toEqual([]);
      await startRun(temporal, 'run-2');
      await expect.poll(() => runsOf(temporal, 'order-1')).toEqual(['run-2']);
    });

    async function start(): Promise<ProductionTemporal> {
      supervisor = await Supervisor.open({ dataFolder });
      const programs = await findClusterPrograms({ webUi: false, report: () => {}, signal: undefined });
      return startProductionTemporal({
        supervisor,
        programs,
        searchAttributes: searchAttributeNames,
        signal: undefined,
      });
    }
  });
}

/** No worker is there: what is looked at is the server's own memory. */
async function startRun(temporal: ProductionTemporal, workflowId: string): Promise<void> {
  await withClient(temporal, ({ workflow }) =>
    workflow.start('wait', {
      workflowId,
      taskQueue: 'nobody',
      searchAttributes: { OrderId: ['order-1'] },
    }),
  );
}

function runsOf(temporal: ProductionTemporal, order: string): Promise<string[]> {
  return withClient(temporal, async ({ workflow }) => {
    const ids: string[] = [];
    for await (const { workflowId } of workflow.list({ query: `OrderId = '${order}'` })) ids.push(workflowId);
    return ids.toSorted();
  });
}

async function withClient<T>(temporal: ProductionTemporal, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await connectToTemporal(temporal.address);
  try {
    return await work(new Client({ connection }));
  } finally {
    await connection.close();
  }
}
