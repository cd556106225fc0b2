import { randomUUID } from 'node:crypto';
import { afterEach, expect, it } from 'vitest';
import { refundWorkflowId } from '#workflows/contract';
import { startEngine } from '../helpers/engine.js';
import type { RefundView } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { usd } from '../helpers/usd.js';

const engine = forAllTests(() =>
  startEngine({ approval: 'immediate', reconciles: 'often', answerWithinMs: 1_000 }),
);
afterEach(() => engine.sandbox.clearFaults());

async function capturedPayment(): Promise<{ readonly id: string; readonly captureId: string }> {
  const key = randomUUID();
  // Temporal may still be warming up: the same request again starts the run.
  const { body } = await until(
    () => engine.orders.order({ capturePolicy: { mode: 'automatic' } }, key),
    ({ status }) => status < 300,
    'the order to be taken',
  );
  const { captures } = await engine.orders.reaches(body.id, 'captured');
  return { id: body.id, captureId: captures[0]?.id ?? '' };
}

const runOf = (refundId: string) =>
  engine.temporal.workflow.getHandle(
    refundWorkflowId({ environment: 'sandbox', application: 'shop', refundId }),
  );

const completes = async (id: string) =>
  await until(
    () => engine.orders.read<RefundView>(`/v1/refunds/${id}`),
    ({ state }) => state === 'completed',
    `refund ${id} to be completed`,
  );

it('replaces a run that was terminated while its outcome was unknown, and refunds once', async () => {
  const { id } = await capturedPayment();
  await engine.sandbox.fault({ kind: 'drop_reply', operation: 'capture.refund', times: null });
  // Neither the payment nor the refund that an event names shows what has become of it.
  for (const operation of ['payment.get', 'refund.get'])
    await engine.sandbox.fault({ kind: 'status', operation, status: 503, times: null });
  const { status, body } = await engine.orders.refund(id, { amount: usd('40.00') });
  expect({ status, refund: body.state }).toEqual({ status: 202, refund: 'requesting' });
  await runOf(body.id).terminate();
  await until(
    () => engine.orders.read<RefundView>(`/v1/refunds/${body.id}`),
    ({ timeline }) => timeline.some(({ event }) => event === 'runRestarted'),
    'another run to go on',
  );
  await engine.sandbox.clearFaults();
  await completes(body.id);
  expect((await engine.sandbox.booksOf(id)).slice(2)).toEqual(['refund 4000']);
});

it('replaces a run of a pending refund that was made elsewhere', async () => {
  const { id, captureId } = await capturedPayment();
  const pending = { kind: 'reshape', operation: 'refund.get', add: { state: 'pending' }, times: null };
  await engine.sandbox.fault(pending);
  await engine.sandbox.refundElsewhere(captureId, '15.00');
  const { refunds } = await until(
    () => engine.orders.get(id),
    (payment) => payment.refunds[0]?.state === 'pending',
    'the refund to be pending',
  );
  const refundId = refunds[0]?.id ?? '';
  await runOf(refundId).terminate();
  await engine.sandbox.clearFaults();
  await completes(refundId);
  expect((await engine.orders.get(id)).amounts.refunded).toEqual(usd('15.00'));
});
