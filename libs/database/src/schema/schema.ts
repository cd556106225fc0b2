import type { Generated, JSONColumnType, Selectable } from 'kysely';
import type { MetadataColumn } from './metadata-column.js';
import type { LifecycleEvent } from '#workflows/lifecycle';
import type { PaymentState, PaymentStatus } from '#workflows/lifecycle/payment';
import type { StepOf } from '#workflows/lifecycle/step';
import type { RefundState, RefundStatus } from '#workflows/lifecycle/refund';
import type {
  ConsoleAuditTable,
  ConsoleSessionsTable,
  ConsoleSignInFailuresTable,
} from './console-tables.js';
import type {
  Json,
  ProviderWebhooksTable,
  WebhookEventsTable,
  ProviderResendsTable,
  WebhookResendsTable,
  WebhookTransmissionsTable,
} from './inbox-tables.js';
import type {
  NotificationAttemptsTable,
  NotificationDeliveriesTable,
  NotificationEndpointsTable,
  NotificationRotationsTable,
  NotificationsTable,
} from './notification-tables.js';
import type { PayoutItemsTable, PayoutsTable } from './payout-tables.js';
import type {
  DatabaseRestoresTable,
  DriftTable,
  ReconciliationsTable,
  RememberedReferencesTable,
} from './reconciliation-tables.js';
import type { PlansTable, SubscriptionPaymentsTable, SubscriptionsTable } from './subscription-tables.js';

export type { Metadata } from './metadata-column.js';
export { webhookStatuses } from './inbox-tables.js';
export type { WebhookEventRow, WebhookSource, WebhookStatus } from './inbox-tables.js';
export type { PayoutItemRow, PayoutRow } from './payout-tables.js';
export type { DriftRow, ReconciliationRow } from './reconciliation-tables.js';
export type { PlanRow, SubscriptionPaymentRow, SubscriptionRow } from './subscription-tables.js';

/** The engine's tables as the query modules see them; migrations/ creates them. */
export interface EngineTables {
  payments: PaymentsTable;
  commands: CommandsTable;
  attempts: AttemptsTable;
  resources: ResourcesTable;
  timeline: TimelineTable;
  api_calls: ApiCallsTable;
  webhook_events: WebhookEventsTable;
  webhook_transmissions: WebhookTransmissionsTable;
  webhook_resends: WebhookResendsTable;
  provider_resends: ProviderResendsTable;
  provider_webhooks: ProviderWebhooksTable;
  refunds: RefundsTable;
  plans: PlansTable;
  subscriptions: SubscriptionsTable;
  subscription_payments: SubscriptionPaymentsTable;
  payouts: PayoutsTable;
  payout_items: PayoutItemsTable;
  reconciliations: ReconciliationsTable;
  drift: DriftTable;
  database_restores: DatabaseRestoresTable;
  remembered_references: RememberedReferencesTable;
  notification_endpoints: NotificationEndpointsTable;
  notification_rotations: NotificationRotationsTable;
  notifications: NotificationsTable;
  notification_deliveries: NotificationDeliveriesTable;
  notification_attempts: NotificationAttemptsTable;
  console_sessions: ConsoleSessionsTable;
  console_sign_in_failures: ConsoleSignInFailuresTable;
  console_audit: ConsoleAuditTable;
}

interface PaymentsTable {
  id: string;
  environment: string;
  application: string;
  order_id: string;
  intent: string;
  status: PaymentStatus;
  state: JSONColumnType<PaymentState>;
  version: number;
  /** The least version to show: callers saw it before versions followed the timeline. */
  version_floor: Generated<number>;
  /** When the latest recorded read or call began, by the database's clock; null before migration 0018. */
  read_began_at: Generated<Date | null>;
  /** Since when the row waits for a final part that its run does not know again yet (docs/decisions/0018). */
  waits_since: Generated<Date | null>;
  description: string | null;
  payee_masked: string | null;
  /** The shipping address and the note, encrypted; null once the provider has them. */
  sealed_letters: Buffer | null;
  return_url: string;
  cancel_url: string;
  metadata: MetadataColumn;
  /** Counts the changes of the payment's refunds. */
  refund_changes: Generated<number>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export type CommandKind =
  | 'create'
  | 'capture'
  | 'void'
  | 'release'
  | 'reauthorize'
  | 'refund'
  | 'cancelItem'
  | 'suspend'
  | 'reactivate'
  | 'cancel'
  | 'billBalance'
  | 'setBalance'
  | 'deactivate'
  | 'decide';
export type CommandStatus = 'accepted' | 'executing' | 'succeeded' | 'failed' | 'refused';

/** The result of a command, as the API shows it. */
export interface CommandResult {
  readonly captureId?: string;
  readonly captureStatus?: string;
  readonly code?: string;
  readonly reason?: string;
  /** For a refused order, which has no subject: the answer, to repeat it under the same key. */
  readonly problem?: KeptProblem;
}

/** A problem document (RFC 9457) and its headers. */
export interface KeptProblem {
  readonly kind: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly extensions: Readonly<Record<string, unknown>>;
}

interface CommandsTable {
  id: string;
  environment: string;
  application: string;
  idempotency_key: string;
  body_hash: string;
  kind: CommandKind;
  subject_id: string;
  parameters: JSONColumnType<Record<string, unknown>>;
  status: CommandStatus;
  result: JSONColumnType<CommandResult> | null;
  requested_by: string;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** How a POST ended: null while it is in flight or its process died. */
export type AttemptOutcome = 'answered' | 'declined' | 'deferred' | 'unknown' | 'undone';

interface AttemptsTable {
  id: Generated<number>;
  subject_id: string;
  step_name: string;
  attempt_number: number;
  step: JSONColumnType<StepOf>;
  request_id: string;
  reference: string;
  begun_at: Date;
  send_by: Date;
  outcome: AttemptOutcome | null;
  event: JSONColumnType<LifecycleEvent> | null;
  settled_at: Date | null;
}

interface ResourcesTable {
  environment: string;
  application: string;
  resource_id: string;
  kind: string;
  subject_id: string;
  created_at: Generated<Date>;
}

interface TimelineTable {
  id: Generated<number>;
  subject_id: string;
  version: number;
  event: string;
  kind: 'moved' | 'refused' | 'conflict';
  from_status: string;
  to_status: string;
  detail: string | null;
  command_id: string | null;
  at: Date;
  /** A lost workflow task wrote it, and its run has not written it again. */
  is_superseded: Generated<boolean>;
}

interface ApiCallsTable {
  id: Generated<number>;
  environment: string;
  application: string;
  subject_id: string | null;
  operation: string;
  method: string;
  path: string;
  status: number | null;
  request_id: string | null;
  debug_id: string | null;
  transaction_id: string | null;
  started_at: Date;
  duration_ms: number;
  request: Json | null;
  response: Json | null;
  request_headers: Json | null;
  response_headers: Json | null;
  error: string | null;
}

interface RefundsTable {
  environment: string;
  application: string;
  id: string;
  payment_id: string;
  kind: 'refund' | 'reversal';
  provider_refund_id: string | null;
  collected_kind: 'capture' | 'sale' | null;
  collected_id: string | null;
  minor: number | null;
  currency: string | null;
  status: RefundStatus;
  state: JSONColumnType<RefundState>;
  version: number;
  /** The least version to show: callers saw it before versions followed the timeline. */
  version_floor: Generated<number>;
  /** When the latest recorded read or call began, by the database's clock; null before migration 0018. */
  read_began_at: Generated<Date | null>;
  refunded_at: Date | null;
  metadata: MetadataColumn;
  /** For a chargeback that ended without an amount: when the provider was last asked for it. */
  amount_asked_at: Generated<Date | null>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** Without what goes only to the provider. */
export type PaymentRow = Omit<Selectable<PaymentsTable>, 'sealed_letters'>;
export type CommandRow = Selectable<CommandsTable>;
export type AttemptRow = Selectable<AttemptsTable>;
export type ApiCallRow = Selectable<ApiCallsTable>;
export type RefundRow = Selectable<RefundsTable>;
