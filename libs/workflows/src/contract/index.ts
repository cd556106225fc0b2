export {
  type MaintenanceActivities,
  type ReconciledApplication,
  reconciliationIdOf,
  reconciliationRoundWorkflowType,
  webhookRepairWorkflowType,
  webhookSweepWorkflowType,
} from './maintenance.js';
export {
  orderCommandId,
  type PaymentActivities,
  type PaymentDecision,
  type PaymentIdentity,
  type PaymentMessage,
  type PaymentRunInput,
  paymentSignals,
  paymentSubject,
  paymentWorkflowId,
  paymentWorkflowType,
  type Purchase,
  type RunEvent,
  type StepInput,
  type StepOutcome,
} from './payment.js';
export {
  type PayoutActivities,
  type PayoutIdentity,
  type PayoutMessage,
  payoutOrderCommandId,
  type PayoutRunEvent,
  type PayoutRunInput,
  type PayoutStepInput,
  type PayoutStepOutcome,
  payoutSubject,
  payoutWorkflowType,
} from './payout.js';
export {
  type PlanActivities,
  planCommandId,
  type PlanIdentity,
  type PlanMessage,
  type PlanRunInput,
  type PlanStepInput,
  type PlanStepOutcome,
  planSubject,
  planWorkflowType,
} from './plan.js';
export {
  type RefundActivities,
  refundCommandId,
  type RefundIdentity,
  type RefundMessage,
  type RefundRunInput,
  type RefundStepInput,
  type RefundStepOutcome,
  refundSubject,
  refundWorkflowId,
  refundWorkflowType,
} from './refund.js';
export { decideReviewUpdate, type DecisionMessage } from './review.js';
export {
  type ActivityInput,
  type ActivityOutcome,
  asNewRunsDo,
  type CauseActivities,
  type EndOnRecord,
  type LateTask,
  type OrderedBy,
  type RunMessage,
  type RunStart,
  type ViewActivities,
  workflowIdOf,
} from './run.js';
export { runTypeOf, workflowTypes } from './run-types.js';
export { searchAttributes } from './search-attributes.js';
export { kindOf, prefixOf, type Subject, type SubjectKind, subjectKinds } from './subject.js';
export { firstTraceHeader, traceHeader } from './trace-headers.js';
export {
  type Offer,
  type PostalAddress,
  type SubscriptionActivities,
  subscriptionCommandId,
  type SubscriptionIdentity,
  type SubscriptionMessage,
  type SubscriptionRunInput,
  type SubscriptionStepInput,
  type SubscriptionStepOutcome,
  subscriptionSubject,
  subscriptionWorkflowType,
} from './subscription.js';
