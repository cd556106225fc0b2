import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, inject, it } from 'vitest';
import { SubscriptionStage } from '../e2e/subscription-stage.js';
import { type Engine, startEngine } from '../helpers/engine.js';
import { until } from '../helpers/until.js';
import { startTestWorker } from '../helpers/worker.js';
import { historyKeys } from './history-key.js';
import { patchesIn, unguarded } from './patches.js';
import { storeHistory } from './stored-histories.js';

/** As record-subscriptions.ts, of what comes after the end. */
let engine: Engine;
let stage: SubscriptionStage;
afterEach(async () => {
  await engine.close();
});

const workflowId = (id: string): string => `subscription/sandbox/shop/${id}`;

const yearly = async (terms: Record<string, unknown> = {}): Promise<string> =>
  (await stage.plan({ regular: { frequency: 'YEAR', cycles: 5, amount: '9.00' }, ...terms })).body.id;

const subscribed = async (planId: string) =>
  await stage.subscribed(planId, { startDate: new Date(Date.now() + 600_000).toISOString() });

/** The guard says no in the code of the one; both end alike, and only today's is read on. */
it.each(['before', 'after'] as const)('records a subscription that ended %s it was read on', async (side) => {
  engine = await startEngine({ codecKeys: historyKeys, withWorker: false });
  stage = new SubscriptionStage(engine);
  const bundle = readFileSync(inject('workflowBundle'), 'utf8');
  const patch = patchesIn(bundle).find(({ slug }) => slug === 'read-on-after-the-end');
  if (!patch) throw new Error('no such patch');
  const folder = mkdtempSync(join(tmpdir(), 'histories-'));
  const workflowBundle = join(folder, `${side}.js`);
  writeFileSync(workflowBundle, side === 'before' ? unguarded(bundle, patch, false) : bundle);
  const { databaseUrl, taskQueue, application, apiUrl: publicUrl } = engine;
  const worker = await startTestWorker({ databaseUrl, taskQueue, application, publicUrl, codecKeys: historyKeys, workflowBundle });
  const { id } = await subscribed(await yearly());
  await stage.post(`/v1/subscriptions/${id}/cancel`, {});
  const handle = engine.temporal.workflow.getHandle(workflowId(id));
  await until(() => handle.describe(), ({ status }) => status.name === 'COMPLETED', 'the run to be closed');
  await storeHistory(engine.temporal, `subscription/${side}-read-on-after-the-end`, workflowId(id));
  await worker.close();
  rmSync(folder, { recursive: true });
});

it('records a run that was started by an event after the end', async () => {
  engine = await startEngine({ codecKeys: historyKeys });
  stage = new SubscriptionStage(engine);
  const { id } = await subscribed(await yearly({ setupFee: '5.00' }));
  const paid = await until(() => stage.payments(id), ({ payments }) => payments.length === 1, 'the setup fee');
  await stage.post(`/v1/subscriptions/${id}/cancel`, {});
  const run = () => engine.temporal.workflow.getHandle(workflowId(id)).describe();
  const { runId } = await until(run, ({ status }) => status.name === 'COMPLETED', 'the run to be closed');
  await engine.sandbox.refundSaleElsewhere(paid.payments[0]?.id ?? '', '5.00');
  await until(
    run,
    (seen) => seen.status.name === 'COMPLETED' && seen.runId !== runId,
    'the run that reads to be closed',
  );
  await storeHistory(engine.temporal, 'subscription/after-end', workflowId(id));
});
