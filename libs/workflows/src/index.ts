/** All workflows of the worker's bundle; the names of exports are workflow types. */
export { paymentWorkflow } from './payment.workflow.js';
export { planWorkflow } from './plan.workflow.js';
export { payoutWorkflow } from './payout.workflow.js';
export { reconciliationRoundWorkflow, reconciliationWorkflow } from './reconciliation.workflow.js';
export { refundWorkflow } from './refund.workflow.js';
export { subscriptionWorkflow } from './subscription.workflow.js';
export { webhookRepairWorkflow } from './webhook-repair.workflow.js';
export { webhookSweepWorkflow } from './webhook-sweep.workflow.js';
