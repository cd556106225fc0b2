import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';
import { ChangeWaits } from '#api/commands/wait-for-change.js';
import { ChangeListener, openDatabase } from '#database/connection';
import { orderedAmount, shopUrls, type Contender } from '../harness/contender.js';
import { naiveTaskQueue, type ProviderCall } from './naive-contract.js';
import { captureRequested, type naivePayment, payerApproved } from './naive-payment.workflow.js';

const answeredWithinMs = 60_000;

/** Starts and signals the usual design, and waits for its rows in the same way as the engine's API. */
export async function openNaive(temporal: Client, databaseUrl: string): Promise<Contender> {
  const db = openDatabase(databaseUrl);
  const listener = new ChangeListener(databaseUrl);
  await listener.start();
  const changes = new ChangeWaits(listener);
  const find = (id: string) =>
    db.selectFrom('payments').select(['status', 'state']).where('id', '=', id).executeTakeFirst();
  const untilItIs = async (id: string, status: string) => {
    const row = await changes.until(id, answeredWithinMs, {
      read: () => find(id),
      satisfies: (seen) => seen?.status === status,
    });
    if (row?.status !== status) throw new Error(`a naive payment did not become ${status}`);
    return row;
  };
  return {
    name: 'naive',
    async order() {
      const paymentId = `pay_${randomUUID()}`;
      const order = { paymentId, orderId: paymentId, amount: orderedAmount, ...shopUrls };
      await temporal.workflow.start<typeof naivePayment>('naivePayment', {
        workflowId: paymentId,
        taskQueue: naiveTaskQueue,
        args: [order],
      });
      const { state } = await untilItIs(paymentId, 'awaiting_approval');
      const { resource } = state as unknown as Pick<ProviderCall, 'resource'>;
      return { workflowId: paymentId, paymentId, approvalUrl: resource.approvalUrl ?? '' };
    },
    async payerReturned({ workflowId, paymentId }, { payerId }) {
      await temporal.workflow.getHandle(workflowId).signal(payerApproved, payerId);
      await untilItIs(paymentId, 'authorized');
    },
    async capture({ workflowId, paymentId }) {
      await temporal.workflow.getHandle(workflowId).signal(captureRequested);
      await untilItIs(paymentId, 'captured');
    },
    async close() {
      await listener.close();
      await db.destroy();
    },
  };
}
