import { randomUUID } from 'node:crypto';
import { it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type RunFixture, type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { keptAlive } from '../workflows/kept-alive.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/**
 * `npm run histories` records one real history for each state that a run can wait in, and each end, where none is stored
 * yet. Recorded ones are kept when the workflow changes: they are what open runs look like (docs/changing-workflows.md).
 */
const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));


const store = (name: string, { workflowId }: StartedRun) =>
  storeHistory(fixture.temporal, `payment/${name}`, workflowId);

async function authorized(...order: Parameters<RunFixture['start']>): Promise<StartedRun> {
  const run = await fixture.start(...order);
  await run.approve();
  await run.reaches('authorized');
  return run;
}

const capture = (minor?: number) =>
  ({
    type: 'captureRequested',
    commandId: randomUUID(),
    ...(minor !== undefined && { minor, final: false }),
  }) as const;

const fault = (operation: string, kind: Record<string, unknown>, times: number | null = 1) =>
  fixture.sandbox.fault({ clientId: fixture.sandbox.clientId, operation, times, ...kind });

it('records runs that wait', async () => {
  const awaiting = await fixture.start();
  await awaiting.reaches('awaiting_approval');
  await store('awaiting-approval', awaiting);
  await store('authorized', await authorized());

  const partially = await authorized();
  await partially.send(capture(4_000));
  await partially.reaches('partially_captured');
  await store('partially-captured', partially);
});

it('records a run whose task was kept alive', async () => {
  await store('kept-alive', await keptAlive(fixture));
});

it('records runs that have ended', async () => {
  const captured = await authorized();
  await captured.send(capture());
  await captured.reaches('captured');
  await store('captured', captured);

  const voided = await authorized();
  await voided.send({ type: 'voidRequested', commandId: randomUUID() });
  await voided.reaches('voided');
  await store('voided', voided);

  const cancelled = await fixture.start();
  await cancelled.reaches('awaiting_approval');
  await cancelled.send({ type: 'payerCancelled' });
  await cancelled.reaches('cancelled');
  await store('cancelled', cancelled);

  const withdrawn = await fixture.start();
  await withdrawn.reaches('awaiting_approval');
  await withdrawn.send({ type: 'cancelRequested', commandId: randomUUID() });
  await withdrawn.reaches('cancelled');
  await store('cancelled-by-request', withdrawn);

  const expired = await fixture.start({ approvalBy: Date.now() + 1_000 });
  await expired.reaches('expired');
  await store('expired', expired);

  const automatic = await fixture.start({ capturePolicy: { mode: 'automatic' } });
  await automatic.approve();
  await automatic.reaches('captured');
  await store('captured-by-policy', automatic);
});

it('records a run that has continued as new', async () => {
  const run = await authorized({}, { messagesPerRun: 2 });
  await run.send(capture(1_000));
  await run.reaches('partially_captured');
  await run.send({ type: 'providerNotified', eventType: 'TEST' });
  await until(() => run.snapshot(), ({ waitingMessages }) => waitingMessages === 0, 'the message to be taken');
  await store('continued-as-new', run);
});

it('records runs whose last step is in doubt, deferred, pending, or under review', async () => {
  const doubtful = await authorized();
  await fault('authorization.capture', { kind: 'late', delayMs: 30_000, executeAfterMs: 60_000 });
  await doubtful.send(capture());
  await until(() => doubtful.snapshot(), ({ state }) => state.openStep?.phase === 'doubt', 'doubt', 60_000);
  await store('capturing-in-doubt', doubtful);

  const deferred = await authorized();
  await fault('authorization.void', { kind: 'status', status: 429, retryAfter: 60 });
  await deferred.send({ type: 'voidRequested', commandId: randomUUID() });
  await until(() => deferred.snapshot(), ({ state }) => state.openStep?.phase === 'retry', 'the put-off void', 60_000);
  await store('voiding-put-off', deferred);

  const reviewed = await authorized({ patience: { ...testWaitPolicy, reviewAfterMs: 1 } });
  await fault('authorization.capture', { kind: 'late', delayMs: 30_000, executeAfterMs: 60_000 });
  await fault('payment.get', { kind: 'status', status: 503 }, null);
  await reviewed.send(capture());
  await reviewed.reaches('needs_review');
  await store('needs-review', reviewed);
});

it('records a capture that is still pending at the provider', async () => {
  await fixture.sandbox.configure({ captureOutcome: 'pending_then_completed', captureSettleMs: 3_600_000 });
  const run = await authorized();
  await run.send(capture());
  await until(() => run.snapshot(), ({ state }) => state.captures.length === 1, 'the pending capture');
  await store('capturing-pending', run);
});
