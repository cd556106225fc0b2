import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, inject, it } from 'vitest';
import type { RunningWorker } from '#worker/worker.js';
import { until } from '../helpers/until.js';
import { type RunFixture, startRunFixture } from '../workflows/payment-run.js';
import { capturedRun, startRefundRun } from '../workflows/refund-run.js';
import { historyKeys } from './history-key.js';
import { patchesIn, unguarded } from './patches.js';
import { type HistoryName, storeHistory } from './stored-histories.js';

/**
 * Both sides of each patch: a run of the code as it was before, and one of today's, each brought to where they differ.
 * They are runs of before time was recorded: newer ones ask for no patch that was there then. Whoever adds a patch records its sides here; test/workflows/replay.test.ts names those that are missing.
 */
const folder = mkdtempSync(join(tmpdir(), 'histories-'));

let fixture: RunFixture;
let worker: RunningWorker;
beforeAll(async () => {
  fixture = await startRunFixture({ codecKeys: historyKeys });
  ({ worker } = fixture);
});
afterEach(() => fixture.sandbox.clearFaults());
afterAll(async () => {
  await fixture.close();
  rmSync(folder, { recursive: true });
});

type Side = 'before' | 'after';

/** From now on, runs are lived by code in which this guard says no; or by today's. */
async function liveBy(side: Side, lifecycle: string, slug: string): Promise<void> {
  const bundle = readFileSync(inject('workflowBundle'), 'utf8');
  const patch = patchesIn(bundle).find((one) => one.lifecycle === lifecycle && one.slug === slug);
  if (!patch) throw new Error(`no patch ${slug} in ${lifecycle}`);
  const path = join(folder, `${side}-${lifecycle}-${slug}.js`);
  writeFileSync(path, side === 'before' ? unguarded(bundle, patch, false) : bundle);
  await workOn(path);
}

async function workOn(bundle: string): Promise<void> {
  await worker.close();
  worker = await fixture.startWorker({ workflowBundle: bundle });
  resume = async () => {
    worker = await fixture.startWorker({ workflowBundle: bundle });
  };
}
let resume: () => Promise<void>;

/** What is sent meanwhile waits, and is all there when the run goes on. */
async function whileNobodyWorks(send: () => Promise<void>): Promise<void> {
  await worker.close();
  await send();
  await resume();
}

async function twice(send: () => Promise<void>): Promise<void> {
  await send();
  await send();
}

const isTaken = ({ waitingMessages }: { readonly waitingMessages: number }) => waitingMessages === 0;

const store = (name: HistoryName, { workflowId }: { readonly workflowId: string }) =>
  storeHistory(fixture.temporal, name, workflowId);

describe.each(['before', 'after'] as const)('%s the patch', (side) => {
  it('records a payment that two hints wait for', async () => {
    await liveBy(side, 'payment', 'waiting-hints-share-a-read');
    const run = await fixture.start({}, { recordsTime: false });
    await run.reaches('awaiting_approval');
    await whileNobodyWorks(() => twice(() => run.send({ type: 'providerNotified', eventType: 'TEST' })));
    await until(() => run.snapshot(), isTaken, 'the hints to be taken');
    await store(`payment/${side}-waiting-hints-share-a-read`, run);
  });

  it('records a payment that refuses a request', async () => {
    await liveBy(side, 'payment', 'look-before-refusal');
    const run = await fixture.start({}, { recordsTime: false });
    await run.reaches('awaiting_approval');
    const { version } = await run.snapshot();
    await run.send({ type: 'captureRequested', commandId: randomUUID() });
    await until(() => run.snapshot(), (seen) => seen.version > version, 'the refusal');
    await store(`payment/${side}-look-before-refusal`, run);
  });

  it('records a refund that two hints wait for', async () => {
    await liveBy(side, 'refund', 'waiting-hints-share-a-read');
    await fixture.sandbox.fault({ kind: 'reshape', operation: 'refund.get', add: { state: 'pending' }, times: null });
    const { run, captureId } = await capturedRun(fixture);
    const refund = await startRefundRun(fixture, run, await fixture.sandbox.refundElsewhere(captureId, '10.00'), { recordsTime: false });
    await refund.reaches('pending');
    await whileNobodyWorks(() => twice(() => refund.notify()));
    await until(() => refund.snapshot(), isTaken, 'the hints to be taken');
    await store(`refund/${side}-waiting-hints-share-a-read`, refund);
  });
});
