import { randomUUID } from 'node:crypto';
import { beforeAll, it } from 'vitest';
import type { PaymentSnapshot } from '#workflows/contract/payment.js';
import { type PaymentOrder, rulesOfNewOrders } from '#workflows/lifecycle/payment';
import { elsewhere } from '../e2e/elsewhere.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { usd } from '../helpers/usd.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Records holds at which others act, under the rules of new orders, as record.ts does the others. */
const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
beforeAll(async () => {
  await fixture.sandbox.configure({ dayLengthMs: 3_000, approval: 'immediate', reauthorizationId: 'new' });
});

const store = (name: string, { workflowId }: StartedRun) =>
  storeHistory(fixture.temporal, `payment/${name}`, workflowId);

const fault = (operation: string, kind: Record<string, unknown>) =>
  fixture.sandbox.fault({ clientId: fixture.sandbox.clientId, operation, times: 1, ...kind });

const sees = (run: StartedRun, holds: (snapshot: PaymentSnapshot) => boolean, what: string) =>
  until(() => run.snapshot(), holds, what, 60_000);

async function held(
  reauthorize: 'none' | 'once' = 'none',
  rules: Partial<PaymentOrder> = rulesOfNewOrders({}),
): Promise<StartedRun> {
  const run = await fixture.start({
    ...rules,
    honourPolicy: { action: 'none', reauthorize },
    expiryPolicy: { action: 'expire' },
  });
  await run.reaches('authorized');
  return run;
}

async function captureElsewhere(run: StartedRun): Promise<void> {
  const { state } = await run.snapshot();
  await elsewhere(fixture, ({ authorizations }) =>
    authorizations.capture(
      state.authorization?.authorizationId ?? '',
      { amount: usd('10.00'), isFinalCapture: false, invoiceNumber: randomUUID() },
      { requestId: randomUUID() },
    ),
  );
}

it('records a reauthorization that is outdated by a capture made elsewhere, and made with what is left', async () => {
  const run = await held('once');
  await captureElsewhere(run);
  await sees(run, ({ state }) => state.authorization?.renewal !== undefined, 'the reauthorized hold');
  await store('reauthorized-after-outdated', run);
});

it('records news that comes while a capture is put off, and is read after it', async () => {
  const run = await held();
  await fault('authorization.capture', { kind: 'status', status: 429, retryAfter: 60, times: null });
  await run.send({ type: 'captureRequested', commandId: randomUUID(), minor: 4_000, final: false });
  await sees(run, ({ state }) => state.openStep?.phase === 'retry', 'the put-off capture');
  await fixture.sandbox.clearFaults();
  await captureElsewhere(run);
  await run.send({ type: 'providerNotified', eventType: 'PAYMENT.CAPTURE.COMPLETED', isNews: true });
  await sees(run, ({ state }) => state.captures.length === 2 && !state.readOwed, 'the capture made elsewhere');
  await store('news-during-put-off', run);
});

/** The policy's own is refused for good, then a caller's is too soon. */
async function refusedForGood(rules?: Partial<PaymentOrder>): Promise<StartedRun> {
  await fault('authorization.reauthorize', { kind: 'poison', name: 'AUTHORIZATION_EXPIRED' });
  const run = await held('once', rules);
  await sees(run, ({ state }) => state.reauthorizations?.isOver === true && !state.openStep, 'the refusal');
  await fault('authorization.reauthorize', { kind: 'poison', name: 'REAUTHORIZATION_TOO_SOON' });
  await run.send({ type: 'reauthorizeRequested', commandId: randomUUID() });
  return run;
}

it('records a policy’s refused reauthorization that a caller’s, which is too soon, does not revive', async () => {
  const run = await refusedForGood();
  await sees(run, ({ state }) => state.reauthorizations?.notBefore !== undefined, 'the request to be put off');
  await run.reaches('expired');
  await store('reauthorization-refused-for-good', run);
});

it('records an older order, in which it does', async () => {
  const { rules: _newer, ...older } = rulesOfNewOrders({});
  const run = await refusedForGood(older);
  await sees(run, ({ state }) => state.authorization?.renewal !== undefined, 'the reauthorized hold');
  await store('reauthorization-revived', run);
});
