import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { PaymentsClient } from '#payments-client';
import { runRivalWorker } from './contest/rival-worker.js';
import { floorTaskQueue, type FloorActivities } from './floor/floor-contract.js';

await runRivalWorker((_environment, provider) => ({
  taskQueue: floorTaskQueue,
  workflowsPath: fileURLToPath(new URL('floor/floor-payment.workflow.js', import.meta.url)),
  activities: floorActivities(provider),
}));

function floorActivities({ payments, authorizations }: PaymentsClient): FloorActivities {
  return {
    async createPayment({ paymentId, amount, returnUrl, cancelUrl }) {
      const transactions = [{ amount, custom: paymentId, invoiceNumber: paymentId }];
      const request = { intent: 'authorize', returnUrl, cancelUrl, transactions } as const;
      const { id, approvalUrl } = await payments.create(request, { requestId: randomUUID() });
      return { providerPaymentId: id, approvalUrl: approvalUrl ?? '' };
    },
    async executePayment(_order, id, payerId) {
      const [transaction] = (await payments.execute(id, { payerId }, { requestId: randomUUID() }))
        .transactions;
      return transaction?.authorizationId ?? '';
    },
    async captureAuthorization({ paymentId, amount }, id) {
      const request = { amount, isFinalCapture: true, invoiceNumber: paymentId };
      return (await authorizations.capture(id, request, { requestId: randomUUID() })).id;
    },
  };
}
