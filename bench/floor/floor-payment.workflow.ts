import {
  allHandlersFinished,
  condition,
  defineUpdate,
  proxyLocalActivities,
  setHandler,
} from '@temporalio/workflow';
import type { CreatedPayment, FloorActivities, FloorOrder } from './floor-contract.js';

/**
 * The minimum for a payment on Temporal: the same waits and calls, each call a local activity, and nothing else. No
 * rows, no codec, and no protection against moving money twice.
 */
const activities = proxyLocalActivities<FloorActivities>({
  startToCloseTimeout: '45 seconds',
  retry: { maximumAttempts: 3 },
});

/** Answers where the payer approves. */
export const created = defineUpdate<string>('created');
export const payerReturned = defineUpdate<string, [payerId: string]>('payerReturned');
export const capture = defineUpdate<string>('capture');

export async function floorPayment(order: FloorOrder): Promise<string> {
  let payment: CreatedPayment | undefined;
  let payerId: string | undefined;
  let authorizationId: string | undefined;
  let isCaptureRequested = false;
  let captureId: string | undefined;
  setHandler(created, async () => {
    await condition(() => payment !== undefined);
    return payment?.approvalUrl ?? '';
  });
  setHandler(payerReturned, async (id) => {
    payerId = id;
    await condition(() => authorizationId !== undefined);
    return authorizationId ?? '';
  });
  setHandler(capture, async () => {
    isCaptureRequested = true;
    await condition(() => captureId !== undefined);
    return captureId ?? '';
  });

  payment = await activities.createPayment(order);
  await condition(() => payerId !== undefined, '3 hours');
  if (payerId === undefined) return 'expired';
  authorizationId = await activities.executePayment(order, payment.providerPaymentId, payerId);
  if (!(await condition(() => isCaptureRequested, '28 days'))) return 'expired';
  captureId = await activities.captureAuthorization(order, authorizationId);
  await condition(allHandlersFinished);
  return 'captured';
}

export const answer = defineUpdate<string>('answer');

/** The minimum for an order: a run that is started and queried in one call. */
export async function bareRun(): Promise<void> {
  let isAnswered = false;
  setHandler(answer, () => {
    isAnswered = true;
    return 'answered';
  });
  await condition(() => isAnswered);
}
