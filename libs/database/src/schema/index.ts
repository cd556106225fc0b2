export { deliveryStates, type NotificationEndpointRow, type NotificationRow } from './notification-tables.js';
export type { Owner } from './owner.js';
export {
  type AttemptOutcome,
  type AttemptRow,
  type CommandKind,
  type CommandResult,
  type CommandRow,
  type DriftRow,
  type KeptProblem,
  type PaymentRow,
  type PayoutItemRow,
  type PlanRow,
  type ReconciliationRow,
  type RefundRow,
  type SubscriptionPaymentRow,
  type SubscriptionRow,
  type WebhookEventRow,
  type WebhookStatus,
  webhookStatuses,
} from './schema.js';
