import { paymentActivities } from '../../../apps/worker/src/payments/index.js';
import { refundActivities } from '../../../apps/worker/src/refunds/index.js';
import { paymentWorkflow } from '../../../libs/workflows/src/payment.workflow.js';
import { refundWorkflow } from '../../../libs/workflows/src/refund.workflow.js';
import type { Workflows } from '../temporal/server.js';
import type { Activities } from '../temporal/worker.js';

export const environment = 'sandbox';
export const application = 'shop';

/** The code under test: the run code of each lifecycle. */
export const workflows: Workflows = { paymentWorkflow, refundWorkflow };

/** The code under test: the steps of each lifecycle, with what a process has of its own. */
export function equipment(context: unknown): Activities {
  return {
    ...paymentActivities(context as never),
    ...refundActivities(context as never),
  } as unknown as Activities;
}
