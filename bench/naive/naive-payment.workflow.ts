import { condition, defineSignal, proxyActivities, setHandler } from '@temporalio/workflow';
import type { NaiveActivities, NaiveOrder } from './naive-contract.js';

/**
 * The usual design, as public samples have it: a plain start, signals that set variables, and for each transition one
 * regular activity that calls the provider and one that writes the rows.
 */
const activities = proxyActivities<NaiveActivities>({
  startToCloseTimeout: '45 seconds',
  retry: { initialInterval: '250 milliseconds', maximumInterval: '10 seconds' },
});

export const payerApproved = defineSignal<[payerId: string]>('payerApproved');
export const payerCancelled = defineSignal('payerCancelled');
export const captureRequested = defineSignal('captureRequested');

export async function naivePayment(order: NaiveOrder): Promise<string> {
  let payerId: string | undefined;
  let isCancelled = false;
  let isCaptureRequested = false;
  setHandler(payerApproved, (id) => void (payerId = id));
  setHandler(payerCancelled, () => void (isCancelled = true));
  setHandler(captureRequested, () => void (isCaptureRequested = true));

  const created = await activities.createPayment(order);
  await activities.writeRows(order, { status: 'awaiting_approval', event: 'paymentCreated', ...created });

  await condition(() => payerId !== undefined || isCancelled, '3 hours');
  if (payerId === undefined) {
    await activities.writeRows(order, {
      status: isCancelled ? 'cancelled' : 'expired',
      event: isCancelled ? 'payerCancelled' : 'approvalTimedOut',
    });
    return isCancelled ? 'cancelled' : 'expired';
  }

  const authorized = await activities.executePayment(order, created.resource.id, payerId);
  await activities.writeRows(order, { status: 'authorized', event: 'authorizationGranted', ...authorized });

  if (!(await condition(() => isCaptureRequested, '28 days'))) {
    const voided = await activities.voidAuthorization(order, authorized.resource.id);
    await activities.writeRows(order, { status: 'voided', event: 'voidConfirmed', ...voided });
    return 'voided';
  }

  const captured = await activities.captureAuthorization(order, authorized.resource.id);
  await activities.writeRows(order, { status: 'captured', event: 'captureAnswered', ...captured });
  return 'captured';
}
