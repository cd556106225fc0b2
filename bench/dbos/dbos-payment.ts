import { DBOS } from '@dbos-inc/dbos-sdk';
import type { NaiveActivities, NaiveOrder, ProviderCall, RowChange } from '../naive/naive-contract.js';

/** What a caller waits for: each is an event of the workflow. */
export type DbosEvent = 'created' | 'authorized' | 'captured';

export type DbosRequest = 'payer' | 'capture';

/**
 * The same lifecycle as a DBOS workflow, without Temporal: requests are its messages, answers its events, and each step
 * calls the provider and writes the naive design's rows. Steps are repeated after a crash; nothing is written before a call.
 */
export function registerDbosPayment(activities: NaiveActivities) {
  const step = (name: DbosEvent, order: NaiveOrder, work: () => Promise<RowChange & ProviderCall>) =>
    DBOS.runStep(
      async () => {
        const change = await work();
        await activities.writeRows(order, change);
        return change.resource;
      },
      { name, retriesAllowed: true, intervalSeconds: 0.25, maxAttempts: 10 },
    );
  return DBOS.registerWorkflow(
    async (order: NaiveOrder): Promise<string> => {
      const payment = await step('created', order, async () => ({
        status: 'awaiting_approval',
        event: 'paymentCreated',
        ...(await activities.createPayment(order)),
      }));
      await DBOS.setEvent('created', payment.approvalUrl);
      const payerId = await DBOS.recv<string>('payer', { timeoutSeconds: 3 * 3_600 });
      if (payerId === null) return 'expired';
      const hold = await step('authorized', order, async () => ({
        status: 'authorized',
        event: 'authorizationGranted',
        ...(await activities.executePayment(order, payment.id, payerId)),
      }));
      await DBOS.setEvent('authorized', hold.id);
      if ((await DBOS.recv('capture', { timeoutSeconds: 28 * 86_400 })) === null) return 'expired';
      const capture = await step('captured', order, async () => ({
        status: 'captured',
        event: 'captureAnswered',
        ...(await activities.captureAuthorization(order, hold.id)),
      }));
      await DBOS.setEvent('captured', capture.id);
      return 'captured';
    },
    { name: 'dbosPayment' },
  );
}
