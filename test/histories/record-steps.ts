import { randomUUID } from 'node:crypto';
import { afterEach, it } from 'vitest';
import type { PaymentOrder } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { type StartedRun, startRunFixture } from '../workflows/payment-run.js';
import { historyKeys } from './history-key.js';
import { storeHistory } from './stored-histories.js';

/** Each step of a payment in doubt, and put off, as far as record.ts and record-holds.ts do not get to them. */
const fixture = forAllTests(() => startRunFixture({ codecKeys: historyKeys }));
afterEach(async () => {
  await fixture.sandbox.clearFaults();
  await fixture.sandbox.configure({});
});

const store = (name: string, { workflowId }: StartedRun) =>
  storeHistory(fixture.temporal, `payment/${name}`, workflowId);

const fault = (operation: string, kind: Record<string, unknown>) =>
  fixture.sandbox.fault({ clientId: fixture.sandbox.clientId, operation, times: null, ...kind });

/** Its answer is lost, and nothing can be read afterwards. */
async function losesAnswers(operation: string): Promise<void> {
  await fault(operation, { kind: 'drop_reply' });
  for (const read of ['payment.get', 'payment.list', 'authorization.get', 'capture.get']) {
    await fault(read, { kind: 'status', status: 503 });
  }
}

const isBusy = (operation: string) => fault(operation, { kind: 'status', status: 429, retryAfter: 60 });

async function storeInDoubt(name: string, run: StartedRun): Promise<void> {
  await until(
    () => run.snapshot(),
    ({ state: { openStep } }) => openStep?.phase === 'doubt' && openStep.looks > 0,
    'a lookup without a result',
  );
  await store(name, run);
  await fixture.sandbox.clearFaults();
}

async function storePutOff(name: string, run: StartedRun): Promise<void> {
  await until(() => run.snapshot(), ({ state }) => state.openStep?.phase === 'retry', 'the put-off call');
  await store(name, run);
  await fixture.sandbox.clearFaults();
}

async function approved(order: Partial<PaymentOrder> = {}): Promise<StartedRun> {
  const run = await fixture.start(order);
  await run.approve();
  return run;
}

async function authorized(order: Partial<PaymentOrder> = {}): Promise<StartedRun> {
  const run = await approved(order);
  await run.reaches('authorized');
  return run;
}

it('records payments whose creation or execution is in doubt', async () => {
  await losesAnswers('payment.create');
  await storeInDoubt('creating-in-doubt', await fixture.start());
  const authorizing = await fixture.start();
  await authorizing.reaches('awaiting_approval');
  await losesAnswers('payment.execute');
  await authorizing.approve();
  await storeInDoubt('authorizing-in-doubt', authorizing);
});

it('records payments whose creation or execution is deferred', async () => {
  await isBusy('payment.create');
  await storePutOff('creating-put-off', await fixture.start());
  await isBusy('payment.execute');
  await storePutOff('authorizing-put-off', await approved());
  await isBusy('payment.execute');
  await storePutOff('sale-executing-put-off', await approved({ intent: 'sale' }));
});

it('records a void in doubt, and a capture that is deferred', async () => {
  const voiding = await authorized();
  await losesAnswers('authorization.void');
  await voiding.send({ type: 'voidRequested', commandId: randomUUID() });
  await storeInDoubt('voiding-in-doubt', voiding);

  const capturing = await authorized();
  await isBusy('authorization.capture');
  await capturing.send({ type: 'captureRequested', commandId: randomUUID() });
  await storePutOff('capturing-put-off', capturing);
});

it('records a doubt that goes to review before it is looked up', async () => {
  const run = await authorized({ patience: { ...testWaitPolicy, firstLookMs: 300_000, reviewAfterMs: 1_000 } });
  await losesAnswers('authorization.capture');
  await run.send({ type: 'captureRequested', commandId: randomUUID() });
  await run.reaches('needs_review');
  await store('needs-review-when-due', run);
});

it('records a hold of another amount, one that is declined, and one whose window passed', async () => {
  await fixture.sandbox.configure({ approval: 'immediate' });
  const amount = 'transactions[0].related_resources[0].authorization.amount.total';
  await fault('payment.create', { kind: 'reshape', add: { [amount]: '90.00' } });
  const other = await fixture.start();
  await other.reaches('needs_review');
  await store('needs-review-other-amount', other);
  await fixture.sandbox.clearFaults();

  await fault('payment.create', { kind: 'decline' });
  const declined = await fixture.start();
  await declined.reaches('declined');
  await store('declined', declined);
  await fixture.sandbox.clearFaults();

  await fixture.sandbox.configure({ approval: 'immediate', dayLengthMs: 300 });
  const expired = await fixture.start({ expiryPolicy: { action: 'expire' } });
  await expired.reaches('expired');
  await store('expired-with-its-window', expired);
});
