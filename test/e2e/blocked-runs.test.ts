import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { openMaintenance } from '#worker/maintenance-context.js';
import { reconcileRuns } from '#worker/reconciliation/reconcile-runs.js';
import { countUrgent } from '#database/console';
import { Runs } from '#runs';
import { brokenBundle } from '../helpers/broken-bundle.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type TestWorkerOptions, configOfWorker, startTestWorker } from '../helpers/worker.js';
import { providerIdOf } from './payment-rows.js';

const codecKeys = { current: 'test', keys: new Map([['test', randomBytes(32)]]) };
const owner = { environment: 'sandbox', application: 'shop' };
const engine = forAllTests(() => startEngine({ codecKeys, reconciles: 'never', withWorker: false }));
const folder = mkdtempSync(join(tmpdir(), 'blocked-runs-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const options = (): TestWorkerOptions => {
  const { databaseUrl, taskQueue, application, apiUrl: publicUrl } = engine;
  return { databaseUrl, taskQueue, application, publicUrl, codecKeys, reconciles: 'never' };
};

async function counted(): Promise<{ readonly blocked: number; readonly drift: number }> {
  // A subject that has just changed is looked at, too.
  const config = { ...configOfWorker(options()), RECONCILE_LOST_AFTER_MS: 1 };
  const { context, close } = openMaintenance(config, { workflowsPath: '' });
  try {
    await reconcileRuns(context, owner);
  } finally {
    await close();
  }
  const { blocked, drift } = await countUrgent(engine.db, [owner], { holdsWithinMs: 0 });
  return { blocked: blocked.count, drift: drift.count };
}

it('a run whose workflow tasks fail is counted for operators until it continues', async () => {
  const { orders } = engine;
  const worker = await engine.startWorker();
  const { body } = await orders.order();
  await orders.comeBack(await engine.sandbox.approve(await providerIdOf(engine, body.id)));
  await orders.reaches(body.id, 'authorized');
  expect(await counted()).toEqual({ blocked: 0, drift: 0 });

  await worker.close();
  const broken = await startTestWorker({ ...options(), workflowBundle: brokenBundle(folder) });
  const captured = orders.capture(body.id);
  const runs = new Runs(engine.temporal, { taskQueue: '', deadlineMs: 60_000 });
  const kindOfRun = async () => (await runs.statusOf({ ...owner, id: body.id })).kind;
  await until(kindOfRun, (kind) => kind === 'failing', 'failing tasks');
  expect(await counted()).toEqual({ blocked: 1, drift: 0 });

  await broken.close();
  await engine.startWorker();
  await captured;
  await orders.reaches(body.id, 'captured');
  expect(await counted()).toEqual({ blocked: 0, drift: 0 });
});
