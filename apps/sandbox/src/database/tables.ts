import type { ColumnType, Generated, GeneratedAlways, Insertable, JSONColumnType, Selectable } from 'kysely';

/*
 * Amounts are whole minor units of the row's currency (`bigint` in PostgreSQL, read as a safe integer).
 * Instants are wall-clock, to the millisecond.
 */

/** A JSON document kept as it was written: `json`, not `jsonb`, so that key order survives. */
type Document<Value extends object> = JSONColumnType<Value>;
type Instant = ColumnType<Date, Date, Date>;
type OptionalInstant = ColumnType<Date | null, Date | null | undefined, Date | null>;

interface AccountsTable {
  id: string;
  environment: 'sandbox' | 'live';
  created_at: Instant;
}

interface ApplicationsTable {
  client_id: string;
  secret_sha256: string;
  name: string;
  app_id: string;
  account_id: string;
  settings: Document<object>;
  created_at: Instant;
}

interface AccessTokensTable {
  token_sha256: string;
  client_id: string;
  expires_at: Instant;
}

interface PaymentsTable {
  id: string;
  client_id: string;
  intent: 'sale' | 'authorize';
  state: 'created' | 'approved' | 'failed';
  approval: 'payer' | 'immediate';
  approval_token: string;
  payer_approved_at: OptionalInstant;
  payer_id: string | null;
  payment_method: string;
  amount_minor: number;
  currency: string;
  amount_details: Document<Record<string, number>>;
  payee_id: string;
  payee_email: string | null;
  description: string | null;
  invoice_number: string | null;
  custom: string | null;
  /** Fields of the request that are only given back: item_list, note_to_payer, soft_descriptor and the like. */
  echoed: Document<EchoedFields>;
  return_url: string | null;
  cancel_url: string | null;
  expires_at: Instant;
  created_at: Instant;
  updated_at: Instant;
}

export interface EchoedFields {
  payment: Record<string, unknown>;
  transaction: Record<string, unknown>;
}

interface SalesTable {
  id: string;
  client_id: string;
  payment_id: string;
  state: 'completed';
  amount_minor: number;
  currency: string;
  created_at: Instant;
  updated_at: Instant;
}

interface AuthorizationsTable {
  id: string;
  client_id: string;
  payment_id: string;
  state: 'authorized' | 'partially_captured' | 'captured' | 'voided' | 'expired';
  amount_minor: number;
  currency: string;
  captured_minor: number;
  /** Reserved by captures that are pending: neither captured nor capturable. */
  pending_minor: number;
  released_minor: number;
  /** A final capture is pending: no other capture is accepted until it is denied. */
  closing: boolean;
  valid_until: Instant;
  created_at: Instant;
  updated_at: Instant;
}

interface CapturesTable {
  id: string;
  client_id: string;
  payment_id: string;
  authorization_id: string;
  state: 'pending' | 'completed' | 'denied';
  amount_minor: number;
  currency: string;
  is_final: boolean;
  invoice_number: string | null;
  note_to_payer: string | null;
  request_id: string | null;
  settles_at: OptionalInstant;
  settles_as: 'completed' | 'denied' | null;
  created_at: Instant;
  updated_at: Instant;
}

interface BookEntriesTable {
  id: GeneratedAlways<number>;
  kind: 'hold' | 'capture' | 'release' | 'refund' | 'sale';
  client_id: string;
  payment_id: string;
  authorization_id: string | null;
  capture_id: string | null;
  amount_minor: number;
  currency: string;
  request_id: string | null;
  invoice_number: string | null;
  custom: string | null;
  created_at: Instant;
}

interface BookPostingsTable {
  entry_id: number;
  account: string;
  amount_minor: number;
}

interface IdempotentAnswersTable {
  client_id: string;
  operation: string;
  request_id: string;
  request_sha256: string;
  status: number;
  answer: Document<object>;
  created_at: Instant;
}

interface WebhooksTable {
  id: string;
  client_id: string;
  account_id: string;
  url: string;
  event_types: string[];
  created_at: Instant;
}

interface EventsTable {
  id: string;
  client_id: string;
  event_type: string;
  resource_type: string;
  resource_id: string;
  summary: string;
  resource: Document<object>;
  created_at: Instant;
}

interface DeliveriesTable {
  id: GeneratedAlways<number>;
  event_id: string;
  webhook_id: string;
  state: Generated<'pending' | 'delivered' | 'abandoned' | 'dropped'>;
  attempts: Generated<number>;
  last_status: number | null;
  first_due_at: Instant;
  /** While an attempt runs: the end of its lease, after which another process may take it over. */
  due_at: Instant;
}

interface SigningCertificatesTable {
  id: string;
  certificate_pem: string;
  private_key_pem: string;
  created_at: Instant;
}

interface FaultsTable {
  id: string;
  client_id: string | null;
  operation: string;
  kind: string;
  settings: Document<object>;
  /** How often it still strikes; null: always. */
  remaining: number | null;
  matches: Generated<number>;
  created_at: Instant;
}

interface CallsTable {
  id: string;
  client_id: string | null;
  operation: string;
  method: string;
  path: string;
  request_id: string | null;
  status: number;
  fault: string | null;
  started_at: Instant;
  finished_at: Instant;
}

export interface Tables {
  accounts: AccountsTable;
  applications: ApplicationsTable;
  access_tokens: AccessTokensTable;
  payments: PaymentsTable;
  sales: SalesTable;
  authorizations: AuthorizationsTable;
  captures: CapturesTable;
  book_entries: BookEntriesTable;
  book_postings: BookPostingsTable;
  idempotent_answers: IdempotentAnswersTable;
  webhooks: WebhooksTable;
  events: EventsTable;
  deliveries: DeliveriesTable;
  signing_certificates: SigningCertificatesTable;
  faults: FaultsTable;
  calls: CallsTable;
}

export type PaymentRow = Selectable<PaymentsTable>;
export type NewPaymentRow = Insertable<PaymentsTable>;
export type SaleRow = Selectable<SalesTable>;
export type AuthorizationRow = Selectable<AuthorizationsTable>;
export type CaptureRow = Selectable<CapturesTable>;
export type WebhookRow = Selectable<WebhooksTable>;
export type EventRow = Selectable<EventsTable>;
