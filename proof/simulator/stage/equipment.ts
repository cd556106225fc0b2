import { paymentActivities } from '#worker/payments/index.js';
import { payoutActivities } from '#worker/payouts/index.js';
import { refundActivities } from '#worker/refunds/index.js';
import { viewActivities } from '#worker/steps/activities/view.js';
import { planActivities, subscriptionActivities } from '#worker/subscriptions/index.js';
import { paymentWorkflow } from '#workflows/payment.workflow.js';
import { planWorkflow } from '#workflows/plan.workflow.js';
import { payoutWorkflow } from '#workflows/payout.workflow.js';
import { refundWorkflow } from '#workflows/refund.workflow.js';
import { subscriptionWorkflow } from '#workflows/subscription.workflow.js';
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
  const steps = {
    ...paymentActivities(context as never, undefined as never),
    ...refundActivities(context as never),
    ...planActivities(context as never),
    ...subscriptionActivities(context as never),
    ...payoutActivities(context as never, undefined as never),
  };
  return { ...viewActivities(steps), ...steps };
}
