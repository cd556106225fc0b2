import { randomUUID } from 'node:crypto';
import { adoptedRefundId } from '../../libs/database/src/adopted-refund-id.js';
import {
  type RefundSnapshot,
  refundNotifiedSignal,
  refundSnapshotQuery,
  refundWorkflowId,
  refundWorkflowType,
} from '../../libs/workflows/src/contract/refund.js';
import { until } from '../helpers/until.js';
import { testPatience } from '../helpers/worker.js';
import type { RunFixture, StartedRun } from './payment-run.js';

export interface StartedRefund {
  readonly workflowId: string;
  /** Somebody tells of it once more. */
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

/** The run of a refund, as the first event that tells of it starts it. */
export async function startRefundRun(
  { temporal }: RunFixture,
  payment: StartedRun,
  providerRefundId: string,
  looksPerRun = 500,
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
        patience: testPatience,
        looksPerRun,
      },
    ],
    signal: refundNotifiedSignal,
    signalArgs: [message('first')],
  });
  const handle = temporal.workflow.getHandle(workflowId);
  const snapshot = () => handle.query(refundSnapshotQuery);
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
