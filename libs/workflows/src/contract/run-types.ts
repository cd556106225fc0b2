import {
  reconciliationRoundWorkflowType,
  reconciliationWorkflowType,
  webhookRepairWorkflowType,
  webhookSweepWorkflowType,
} from './maintenance.js';
import { paymentWorkflowType } from './payment.js';
import { payoutWorkflowType } from './payout.js';
import { planWorkflowType } from './plan.js';
import { refundWorkflowType } from './refund.js';
import { type Subject, type SubjectKind, kindOf } from './subject.js';
import { subscriptionWorkflowType } from './subscription.js';

const runTypes: Readonly<Record<SubjectKind, string>> = {
  payment: paymentWorkflowType,
  refund: refundWorkflowType,
  plan: planWorkflowType,
  subscription: subscriptionWorkflowType,
  payout: payoutWorkflowType,
};

/** The type of each workflow of the engine. */
export const workflowTypes: readonly string[] = [
  ...Object.values(runTypes),
  reconciliationRoundWorkflowType,
  reconciliationWorkflowType,
  webhookRepairWorkflowType,
  webhookSweepWorkflowType,
];

/** The workflow type of a subject's run. */
export function runTypeOf(subject: Subject): string {
  return runTypes[kindOf(subject)];
}
