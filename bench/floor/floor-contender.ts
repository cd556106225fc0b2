import { randomUUID } from 'node:crypto';
import { type Client, isGrpcServiceError, WithStartWorkflowOperation } from '@temporalio/client';
import { orderedAmount, shopUrls, type Contender } from '../harness/contender.js';
import { floorTaskQueue } from './floor-contract.js';
import { answer, bareRun, capture, created, floorPayment, payerReturned } from './floor-payment.workflow.js';

/** Each request is one call to Temporal, which answers it: nothing is polled and nothing announced. */
export function openFloor(
  temporal: Client,
  {
    name = 'floor',
    taskQueue = floorTaskQueue,
  }: Partial<Pick<Contender, 'name'> & { taskQueue: string }> = {},
): Contender {
  return {
    name,
    async order() {
      const paymentId = `pay_${randomUUID()}`;
      const order = { paymentId, amount: orderedAmount, ...shopUrls };
      const approvalUrl = await persist(() =>
        temporal.workflow.executeUpdateWithStart(created, {
          updateId: 'created',
          startWorkflowOperation: new WithStartWorkflowOperation(floorPayment, {
            workflowId: paymentId,
            taskQueue,
            workflowIdConflictPolicy: 'USE_EXISTING',
            args: [order],
          }),
        }),
      );
      return { workflowId: paymentId, paymentId, approvalUrl };
    },
    async payerReturned({ workflowId }, { payerId }) {
      const options = { args: [payerId] as [string], updateId: 'payer-returned' };
      await persist(() => temporal.workflow.getHandle(workflowId).executeUpdate(payerReturned, options));
    },
    async capture({ workflowId }) {
      const handle = temporal.workflow.getHandle(workflowId);
      try {
        await persist(() => handle.executeUpdate(capture, { updateId: 'capture' }));
      } catch (error) {
        // The run has ended before it answered: its result, or its failure, is the answer then.
        if ((await handle.result()) !== 'captured') throw error;
      }
    },
    close: () => Promise.resolve(),
  };
}

const maxTries = 5;

/** The server aborts an Update that meets a finishing workflow task; it must be sent again under the same id. */
async function persist<T>(send: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await send();
    } catch (error) {
      const cause = error instanceof Error ? error.cause : undefined;
      if (tries === maxTries || !isGrpcServiceError(cause)) throw error;
    }
  }
}

/** One bare update-with-start. */
export async function startAndAsk(temporal: Client): Promise<void> {
  await temporal.workflow.executeUpdateWithStart(answer, {
    startWorkflowOperation: new WithStartWorkflowOperation(bareRun, {
      workflowId: `bare_${randomUUID()}`,
      taskQueue: floorTaskQueue,
      workflowIdConflictPolicy: 'FAIL',
      args: [],
    }),
  });
}
