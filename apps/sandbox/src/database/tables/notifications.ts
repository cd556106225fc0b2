import type { Generated, GeneratedAlways, Selectable } from 'kysely';
import type { Document, Instant } from './column-types.js';

interface WebhooksTable {
  id: string;
  client_id: string;
  account_id: string;
  url: string;
  url_sha256: string;
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
  /** Simulated, with a resource that does not exist: delivered, but never found again. */
  is_simulated: Generated<boolean>;
  created_at: Instant;
}

/** The ids in an event: its resource's, and those that its resource names. */
interface EventSubjectsTable {
  client_id: string;
  subject_id: string;
  created_at: Instant;
  event_id: string;
}

interface DeliveriesTable {
  id: GeneratedAlways<number>;
  event_id: string;
  webhook_id: string;
  /** The receiver when it belongs to no registered webhook; null: the webhook's address. */
  url: string | null;
  state: Generated<'pending' | 'delivered' | 'abandoned' | 'dropped'>;
  attempts: Generated<number>;
  last_status: number | null;
  first_due_at: Instant;
  /** While an attempt runs: the end of its lease, after which another process may take it over. */
  due_at: Instant;
  /** Kind of the fault that postponed its first attempt. */
  postponed_by: 'delay_delivery' | 'reorder_deliveries' | null;
}

interface SigningCertificatesTable {
  id: string;
  certificate_pem: string;
  private_key_pem: string;
  created_at: Instant;
}

export interface NotificationTables {
  webhooks: WebhooksTable;
  events: EventsTable;
  event_subjects: EventSubjectsTable;
  deliveries: DeliveriesTable;
  signing_certificates: SigningCertificatesTable;
}

export type WebhookRow = Selectable<WebhooksTable>;
export type EventRow = Selectable<EventsTable>;
