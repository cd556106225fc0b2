import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentSignals, snapshotQuery } from '#workflows/contract/payment.js';
import { ApiProcess } from '../api/api-process.js';
import { startEngine } from '../helpers/engine.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { approvalOf, approvedPayment, inboxRow } from './inbox.js';

let processes: readonly ApiProcess[];

/** By address secret, so that a test can post what a provider would; nobody else delivers anything, or reads. */
const engine = forAllTests(() =>
  startEngine({
    webhookAuthentication: 'addressSecret',
    reconciles: 'never',
    patience: { firstPollMs: 900_000, longestPollMs: 900_000 },
  }),
);
beforeAll(async () => {
  const { databaseUrl, application, apiVariables: env } = engine;
  const start = async () => await ApiProcess.start({ databaseUrl, applications: [application], env });
  processes = await Promise.all([start(), start()]);
  await engine.sandbox.fault({ kind: 'drop_delivery', times: null });
});
afterAll(async () => {
  await Promise.all(processes.map(async (api) => await api.close()));
});

/** Posts an event to one of the two processes. @returns the status. */
async function deliver(event: object, nth: number): Promise<number> {
  const { pathname } = new URL(engine.webhookUrls[0]);
  const response = await fetch((processes[nth % 2]?.url ?? '') + pathname, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(event),
  });
  await response.arrayBuffer();
  return response.status;
}

/** Fifty times at once, to both processes; each is acknowledged. */
async function deliverFiftyTimes(event: object): Promise<void> {
  const statuses = await Promise.all(Array.from({ length: 50 }, (_, nth) => deliver(event, nth)));
  expect(statuses).toEqual(Array.from({ length: 50 }, () => 200));
}

const isApplied = async (eventId: string, deliveries: number) =>
  await until(
    () => inboxRow(engine, eventId),
    (row) => row.status === 'applied' && row.deliveries === deliveries,
    'the event to be applied, and every delivery to be counted',
  );

/** By the provider's own count. */
async function callsOf(operation: string, resourceId: string): Promise<number> {
  const calls = await engine.sandbox.calls(`text=${resourceId}&limit=1000`);
  return calls.filter((call) => call.operation === operation).length;
}

const runOf = (id: string) => runIn(id);
const runIn = (id: string, runId?: string) =>
  engine.temporal.workflow.getHandle(`payment/sandbox/shop/${id}`, runId);

type HistoryEvents = NonNullable<Awaited<ReturnType<ReturnType<typeof runIn>['fetchHistory']>>['events']>;

/** @param since the run from which on its successors are counted, too; by default only the current one. */
async function signalsWith(id: string, eventId: string, since?: string): Promise<number> {
  const { runId } = await runOf(id).describe();
  let found = 0;
  for (let run: string | undefined = runId; run;) {
    const events: HistoryEvents = (await runIn(id, run).fetchHistory()).events ?? [];
    found += await countSignals(events, eventId);
    const { continuedExecutionRunId: earlier } = events[0]?.workflowExecutionStartedEventAttributes ?? {};
    run = since === undefined || run === since ? undefined : (earlier ?? undefined);
  }
  return found;
}

async function countSignals(events: HistoryEvents, eventId: string): Promise<number> {
  const signals = events.filter(({ workflowExecutionSignaledEventAttributes: signal }) => signal);
  const decoded = await Promise.all(
    signals.map(
      async ({ workflowExecutionSignaledEventAttributes: signal }) =>
        await engine.temporal.options.loadedDataConverter.payloadCodecs[0]?.decode([
          ...(signal?.input?.payloads ?? []),
        ]),
    ),
  );
  return decoded.filter((payloads) => Buffer.from(payloads?.[0]?.data ?? []).includes(eventId)).length;
}

async function authorized(): Promise<{ readonly id: string; readonly providerPaymentId: string }> {
  const payment = await approvedPayment(engine);
  await deliver(approvalOf(payment.providerPaymentId), 0);
  await engine.orders.reaches(payment.id, 'authorized');
  return payment;
}

/** Of a kind that nobody knows, so that it is news: the run reads the payment. */
const newsOf = (providerPaymentId: string, id: string) => ({
  id,
  resource_type: 'unheard_of',
  event_type: 'PAYMENT.SOMETHING.HAPPENED',
  resource: { id: `X-${id}`, parent_payment: providerPaymentId },
});

/** Waits that come after the run's thousands of messages, on a machine that has other things to do. */
const longEnough = 180_000;

/** Also the last read to which they lead: it belongs to the run's workflow task, or a short timer repeats it. */
async function hasTakenItsMessages(id: string): Promise<void> {
  await until(
    async () => {
      const { raw, historyLength } = await runOf(id).describe();
      const { events } = await runOf(id).fetchHistory();
      const { waitingMessages } = await runOf(id).query(snapshotQuery);
      return { raw, historyLength, events: events ?? [], waitingMessages };
    },
    ({ raw, historyLength, events, waitingMessages }) =>
      !raw.pendingWorkflowTask &&
      events.length === historyLength &&
      !isToRepeat(events) &&
      waitingMessages === 0,
    'the run to have taken its messages',
    longEnough,
  );
}

/** A timer is open that is not the next poll, which comes in a quarter of an hour: a read that was late is repeated. */
function isToRepeat(events: HistoryEvents): boolean {
  const over = new Set(
    events.map(
      ({ timerFiredEventAttributes: fired, timerCanceledEventAttributes: cancelled }) =>
        (fired ?? cancelled)?.timerId,
    ),
  );
  return events.some(
    ({ timerStartedEventAttributes: timer }) =>
      timer && !over.has(timer.timerId) && Number(timer.startToFireTimeout?.seconds ?? 0) < 120,
  );
}

async function continuesAsNew(id: string): Promise<void> {
  const { runId } = await runOf(id).describe();
  const hint = async (nth: number) =>
    await runOf(id).signal(paymentSignals.providerNotified, {
      id: `${id}-${nth}`,
      event: { type: 'providerNotified', eventType: 'TEST' },
    });
  await Promise.all(Array.from({ length: 1_000 }, async (_, nth) => await hint(nth)));
  await until(
    () => runOf(id).describe(),
    (current) => current.runId !== runId,
    'the run to have continued as new',
    longEnough,
  );
}

describe('case 9: the same webhook fifty times at once on two API processes', () => {
  it('has one effect in the provider’s books, one row and one signal', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    const event = approvalOf(providerPaymentId);
    await deliverFiftyTimes(event);
    await engine.orders.reaches(id, 'authorized');
    await isApplied(event.id, 50);
    await hasTakenItsMessages(id);
    expect(await callsOf('payment.execute', providerPaymentId)).toBe(1);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
    expect(await signalsWith(id, event.id)).toBe(1);
  });

  it('is known across continue-as-new, even to a run that was signalled and whose dispatcher died', async () => {
    const { id, providerPaymentId } = await authorized();
    const event = newsOf(providerPaymentId, `WH-${id}`);
    await deliverFiftyTimes(event);
    await isApplied(event.id, 50);
    await continuesAsNew(id);
    await hasTakenItsMessages(id);
    const reads = await callsOf('payment.get', providerPaymentId);
    await deliverFiftyTimes(event);
    await isApplied(event.id, 100);
    await hasTakenItsMessages(id);
    expect(await signalsWith(id, event.id)).toBe(0);
    const { runId } = await runOf(id).describe();
    // As a dispatcher leaves it that dies after the signal and before its mark.
    await engine.db
      .updateTable('webhook_events')
      .set({ status: 'received', due_at: new Date() })
      .where('event_id', '=', event.id)
      .execute();
    await deliverFiftyTimes(event);
    await isApplied(event.id, 150);
    // A signal that comes during a workflow task stands in the history only after it.
    await hasTakenItsMessages(id);
    // A busy run may continue as new once more.
    expect(await signalsWith(id, event.id, runId)).toBe(1);
    expect(await callsOf('payment.get', providerPaymentId)).toBe(reads);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000']);
  });

  it('that comes again after the run has closed changes nothing', async () => {
    const { id, providerPaymentId } = await approvedPayment(engine);
    const event = approvalOf(providerPaymentId);
    await deliverFiftyTimes(event);
    await engine.orders.reaches(id, 'authorized');
    await engine.orders.capture(id);
    await until(
      () => runOf(id).describe(),
      ({ status }) => status.name === 'COMPLETED',
      'the run to be closed',
    );
    const before = await engine.orders.get(id);
    await deliverFiftyTimes(event);
    await isApplied(event.id, 100);
    expect(await engine.orders.get(id)).toEqual(before);
    expect(await callsOf('payment.execute', providerPaymentId)).toBe(1);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000']);
  });

  it('that reports a refund made elsewhere after the run has closed makes one refund', async () => {
    const { id, providerPaymentId } = await authorized();
    const { body } = await engine.orders.capture(id);
    const captureId = body.capture.id;
    const refundId = await engine.sandbox.refundElsewhere(captureId, '10.00');
    const event = {
      id: `WH-${refundId}`,
      resource_type: 'refund',
      event_type: 'PAYMENT.CAPTURE.REFUNDED',
      resource: {
        id: refundId,
        state: 'completed',
        capture_id: captureId,
        parent_payment: providerPaymentId,
      },
    };
    await deliverFiftyTimes(event);
    const { refunds } = await until(
      () => engine.orders.get(id),
      (payment) => payment.refunds.some(({ state }) => state === 'completed'),
      'the refund to be shown',
    );
    await deliverFiftyTimes(event);
    await isApplied(event.id, 100);
    expect((await engine.orders.get(id)).refunds).toEqual(refunds);
    expect(refunds).toMatchObject([{ providerRefundId: refundId, amount: { value: '10.00' } }]);
    expect(await engine.sandbox.booksOf(id)).toEqual(['hold 10000', 'capture 10000', 'refund 1000']);
  });
});
