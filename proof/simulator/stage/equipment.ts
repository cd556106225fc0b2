import { paymentActivities } from '../../../apps/worker/src/payments/index.js';
import { payoutActivities } from '../../../apps/worker/src/payouts/index.js';
import { refundActivities } from '../../../apps/worker/src/refunds/index.js';
import { clockActivities } from '../../../apps/worker/src/steps/clock.js';
import { planActivities, subscriptionActivities } from '../../../apps/worker/src/subscriptions/index.js';
import { paymentWorkflow } from '../../../libs/workflows/src/payment.workflow.js';
import { planWorkflow } from '../../../libs/workflows/src/plan.workflow.js';
import { payoutWorkflow } from '../../../libs/workflows/src/payout.workflow.js';
import { refundWorkflow } from '../../../libs/workflows/src/refund.workflow.js';
import { subscriptionWorkflow } from '../../../libs/workflows/src/subscription.workflow.js';
import type { Workflows } from '../temporal/run.js';
import type { Activities } from '../temporal/worker.js';

export const environment = 'sandbox';
export const application = 'shop';

/** The code under test: the run code of each lifecycle. */
export const workflows: Workflows = {
  paymentWorkflow,
  payoutWorkflow,
  planWorkflow,
  refundWorkflow,
  subscriptionWorkflow,
};

/** The code under test: the steps of each lifecycle, with what a process has of its own. */
export function equipment(context: unknown): Activities {
  return {
    ...clockActivities,
    ...paymentActivities(context as never),
    ...refundActivities(context as never),
    ...planActivities(context as never),
    ...subscriptionActivities(context as never),
    ...payoutActivities(context as never, undefined as never),
  };
}
