import { randomUUID } from 'node:crypto';
import { beforeAll, it } from 'vitest';
import type { PaymentSnapshot } from '#workflows/contract/payment.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Records runs whose funds are reauthorized, as record.ts does the others; days are short until a run stands still. */
const shortDays = { dayLengthMs: 1_500, approval: 'immediate', reauthorizationId: 'new' };

const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
beforeAll(async () => {
  await fixture.sandbox.configure(shortDays);
});

const store = (name: string, { workflowId }: StartedRun) =>
  storeHistory(fixture.temporal, `payment/${name}`, workflowId);

const fault = (kind: Record<string, unknown>) =>
  fixture.sandbox.fault({
    clientId: fixture.sandbox.clientId,
    operation: 'authorization.reauthorize',
    times: 1,
    ...kind,
  });

const sees = (run: StartedRun, holds: (snapshot: PaymentSnapshot) => boolean, what: string) =>
  until(() => run.snapshot(), holds, what, 60_000);

const reauthorizing = { honourPolicy: { action: 'warn', reauthorize: 'once' } } as const;

it('records a hold that was reauthorized, and one whose rest was released', async () => {
  const reauthorized = await fixture.start(reauthorizing);
  await sees(reauthorized, ({ state }) => state.authorization?.renewal !== undefined, 'the reauthorized hold');
  await store('reauthorized', reauthorized);

  const released = await fixture.start();
  await released.reaches('authorized');
  await released.send({ type: 'captureRequested', commandId: randomUUID(), minor: 4_000, final: false });
  await released.reaches('partially_captured');
  await released.send({ type: 'releaseRequested', commandId: randomUUID() });
  await released.reaches('captured');
  await store('released', released);
});

it('records reauthorizations that are in doubt, or deferred', async () => {
  await fault({ kind: 'late', delayMs: 30_000, executeAfterMs: 60_000 });
  const doubtful = await fixture.start({
    ...reauthorizing,
    patience: { ...testWaitPolicy, outcomeHorizonMs: 600_000 },
  });
  await sees(doubtful, ({ state }) => state.openStep?.phase === 'doubt', 'doubt');
  await store('reauthorizing-in-doubt', doubtful);

  await fault({ kind: 'status', status: 429, retryAfter: 60 });
  const deferred = await fixture.start(reauthorizing);
  await sees(deferred, ({ state }) => state.openStep?.phase === 'retry', 'the put-off reauthorization');
  await store('reauthorizing-put-off', deferred);
});

it('records a capture by the honour policy', async () => {
  const captured = await fixture.start({ honourPolicy: { action: 'capture', reauthorize: 'none' } });
  await captured.reaches('captured');
  await store('captured-by-honour-policy', captured);
});
