import { afterEach, describe, expect, it } from 'vitest';
import { listTimeline } from '#database/transitions';
import { forAllTests } from '../helpers/shared.js';
import { testWaitPolicy } from '../helpers/worker.js';
import { until } from '../helpers/until.js';
import { type StartedRun, startRunFixture } from './payment-run.js';

/**
 * The last read of a payment that nobody approved is slow. What comes during it makes its workflow task fail when it has
 * written the end that both reads have shown: the run is replayed without them, with the message first.
 */
const fixture = forAllTests(startRunFixture);
afterEach(() => fixture.sandbox.clearFaults());

async function rowOf({ identity }: StartedRun) {
  return await fixture.db
    .selectFrom('payments')
    .select(['status', 'state'])
    .where('id', '=', identity.paymentId)
    .executeTakeFirstOrThrow();
}

async function failedTasksOf({ workflowId }: StartedRun): Promise<number> {
  const { events } = await fixture.temporal.workflow.getHandle(workflowId).fetchHistory();
  return (events ?? []).filter(({ workflowTaskFailedEventAttributes: failed }) => failed).length;
}

/** Ordered with a short time for approval, and the read that confirms its last one is under way: neither sees an approval. */
async function atItsLastRead(intent: 'authorize' | 'sale') {
  const patience = { ...testWaitPolicy, firstPollMs: 600_000, longestPollMs: 600_000 };
  const slow = { operation: 'payment.get', kind: 'delay', times: 1 };
  await fixture.sandbox.fault({ ...slow, delayMs: 1_000 });
  const run = await fixture.start({ intent, patience, approvalBy: Date.now() + 3_000 });
  await until(
    () => fixture.sandbox.faultsMet(),
    (met) => met.some((times) => times > 0),
    'the last read to be made',
  );
  await fixture.sandbox.fault({ ...slow, delayMs: 3_500 });
  await until(
    () => fixture.sandbox.faultsMet(),
    (met) => met.length === 2 && met.every((times) => times > 0),
    'the read to be made again',
  );
  // Of its row: the run itself answers no query while it reads.
  const { status, state } = await rowOf(run);
  expect(status).toBe('awaiting_approval');
  return { run, providerPaymentId: state.providerPaymentId ?? '' };
}

describe.each(['authorize', 'sale'] as const)('an expiry that was reported, of a payment to %s', (intent) => {
  it('is kept when the payer approves and returns during the lookup', async () => {
    const { run, providerPaymentId } = await atItsLastRead(intent);
    const back = new URL(await fixture.sandbox.approve(providerPaymentId));
    await run.send({ type: 'payerApproved', payerId: back.searchParams.get('PayerID') ?? '' });
    await standsExpired(run);
  });

  it('is kept when an event of the approval comes during the lookup', async () => {
    const { run, providerPaymentId } = await atItsLastRead(intent);
    await fixture.sandbox.approve(providerPaymentId);
    await run.send({ type: 'providerNotified', eventType: 'PAYMENT.AUTHORIZATION.CREATED' });
    await standsExpired(run);
  });

  it('is kept when the payer cancels during the lookup', async () => {
    const { run } = await atItsLastRead(intent);
    await run.send({ type: 'payerCancelled' });
    await standsExpired(run);
  });
});

async function standsExpired(run: StartedRun): Promise<void> {
  const handle = fixture.temporal.workflow.getHandle(run.workflowId);
  await until(
    () => rowOf(run),
    ({ status }) => status === 'expired',
    'the expiry to be shown',
  );
  expect(await handle.result()).toMatchObject({ status: 'expired', captured: 0 });
  expect(await rowOf(run)).toMatchObject({ status: 'expired' });
  expect(await failedTasksOf(run)).toBeGreaterThan(0);
  expect(await fixture.sandbox.booksOf(run.identity.paymentId)).toEqual([]);
  const timeline = await listTimeline(fixture.db, run.identity.paymentId);
  expect(timeline.at(-1)).toMatchObject({ to_status: 'expired' });
}
