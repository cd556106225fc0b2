import { randomUUID } from 'node:crypto';
import { beforeAll, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Records runs of which a part is pending to the end of the window, as record.ts does the others. */
const dayLengthMs = 1_000;

const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
beforeAll(async () => {
  await fixture.sandbox.configure({ dayLengthMs, approval: 'immediate' });
});

/** 60.00 of 100.00. */
async function partPending(order: Parameters<typeof fixture.start>[0]): Promise<StartedRun> {
  const run = await fixture.start(order);
  const { state } = await run.reaches('authorized');
  await fixture.sandbox.fault({
    kind: 'pending',
    operation: 'authorization.capture',
    paymentId: state.providerPaymentId,
    settlesAs: 'completed',
    afterMs: 31 * dayLengthMs,
  });
  await run.send({ type: 'captureRequested', commandId: randomUUID(), minor: 6_000, final: false });
  return run;
}

it('records an older order, in which nothing acts on the rest', async () => {
  const older = await partPending({
    honourPolicy: { action: 'capture', reauthorize: 'once' },
    expiryPolicy: { action: 'capture' },
  });
  await older.reaches('captured');
  await storeHistory(fixture.temporal, 'payment/pending-past-its-window', older.workflowId);
});

it('records holds whose rest a policy captures, and a request releases', async () => {
  const captured = await partPending({ holdsRest: true, expiryPolicy: { action: 'capture' } });
  await captured.reaches('captured');
  await storeHistory(fixture.temporal, 'payment/captured-beside-pending', captured.workflowId);

  const released = await partPending({ holdsRest: true });
  await until(() => released.snapshot(), ({ state }) => state.captures.length === 1, 'the pending capture');
  await released.send({ type: 'releaseRequested', commandId: randomUUID() });
  await released.reaches('captured');
  await storeHistory(fixture.temporal, 'payment/released-beside-pending', released.workflowId);
});
