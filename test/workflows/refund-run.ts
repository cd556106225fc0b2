import { randomUUID } from 'node:crypto';
import { adoptedRefundId, acceptRefund } from '#database/subjects';
import {
  type RefundRunInput,
  type RefundSnapshot,
  refundCommandId,
  refundNotifiedSignal,
  refundSnapshotQuery,
  refundWorkflowId,
  refundWorkflowType,
} from '#workflows/contract/refund.js';
import { asNewRunsDo } from '#workflows/contract/run.js';
import { prefixOf } from '#workflows/contract';
import type { WaitPolicy } from '#workflows/lifecycle';
import { requestedRefund } from '#workflows/lifecycle/refund';
import { answeredQuery } from '../helpers/answered-query.js';
import { until } from '../helpers/until.js';
import { testWaitPolicy } from '../helpers/worker.js';
import type { RunFixture, StartedRun } from './payment-run.js';

export interface StartedRefund {
  readonly workflowId: string;
  /** Somebody reports it once more. */
  notify(messageId?: string): Promise<void>;
  snapshot(): Promise<RefundSnapshot>;
  reaches(status: string): Promise<RefundSnapshot>;
}

/** A payment of 100.00 USD whose run has closed, and what captured it. */
export async function capturedRun(fixture: RunFixture): Promise<{ run: StartedRun; captureId: string }> {
  const run = await fixture.start({ capturePolicy: { mode: 'automatic' } });
  await run.approve();
  const { state } = await run.reaches('captured');
  return { run, captureId: state.captures[0]?.captureId ?? '' };
}

/** The run of a refund, as the first event that reports it starts it. */
export async function startRefundRun(
  { temporal }: RunFixture,
  payment: StartedRun,
  providerRefundId: string,
  input: Partial<Pick<RefundRunInput, 'looksPerRun' | 'recordsTime' | 'takesEvents'>> = {},
): Promise<StartedRefund> {
  const { environment, application, paymentId } = payment.identity;
  const identity = {
    environment,
    application,
    refundId: adoptedRefundId({ environment, application }, providerRefundId),
  };
  const workflowId = refundWorkflowId(identity);
  const { taskQueue } = await temporal.workflow.getHandle(payment.workflowId).describe();
  await temporal.workflow.signalWithStart(refundWorkflowType, {
    workflowId,
    taskQueue,
    args: [
      {
        identity,
        claim: { kind: 'refund', providerRefundId },
        paymentId,
        patience: testWaitPolicy,
        looksPerRun: 500,
        ...asNewRunsDo,
        ...input,
      },
    ],
    signal: refundNotifiedSignal,
    signalArgs: [message('first')],
  });
  return handleOf(temporal, workflowId);
}

/** The run of a refund as a request of the order service starts it. */
export async function startRequestedRefund(
  { db, temporal }: RunFixture,
  payment: StartedRun,
  captureId: string,
  patience: Partial<WaitPolicy> = {},
): Promise<StartedRefund> {
  const { environment, application, paymentId } = payment.identity;
  const refundId = `${prefixOf('refund')}${randomUUID().replaceAll('-', '')}`;
  const commandId = refundCommandId(refundId);
  const claim = {
    kind: 'request',
    collected: { kind: 'capture', id: captureId },
    amount: { minor: 10_00, currency: 'USD' },
    providerPaymentId: (await payment.snapshot()).state.providerPaymentId ?? '',
  } as const;
  const asked = { ...testWaitPolicy, ...patience };
  const state = requestedRefund(claim, { paymentId, commandId }, asked, Date.now());
  const command = {
    id: commandId,
    environment,
    application,
    idempotencyKey: refundId,
    bodyHash: '',
    kind: 'refund',
    subjectId: refundId,
    parameters: {},
    requestedBy: 'test',
  } as const;
  await acceptRefund(db, command, paymentId, () => ({ state }));
  const identity = { environment, application, refundId };
  const workflowId = refundWorkflowId(identity);
  const { taskQueue } = await temporal.workflow.getHandle(payment.workflowId).describe();
  const input = { identity, claim, paymentId, patience: asked, looksPerRun: 500, ...asNewRunsDo };
  await temporal.workflow.start(refundWorkflowType, { workflowId, taskQueue, args: [input] });
  return handleOf(temporal, workflowId);
}

function handleOf(temporal: RunFixture['temporal'], workflowId: string): StartedRefund {
  const handle = temporal.workflow.getHandle(workflowId);
  const snapshot = () => answeredQuery(handle, refundSnapshotQuery);
  return {
    workflowId,
    notify: (id = randomUUID()) => handle.signal(refundNotifiedSignal, message(id)),
    snapshot,
    reaches: (status) =>
      until(snapshot, ({ state }) => state.status === status, `${workflowId} to be ${status}`),
  };
}

function message(id: string) {
  return { id, event: { type: 'refundNotified', eventType: 'PAYMENT.CAPTURE.REFUNDED' } } as const;
}
