import type { ColumnType, Generated, JSONColumnType, Selectable } from 'kysely';
import type { NotifiedResource } from '#workflows/lifecycle';

/** The tables of the webhook inbox. */

export const webhookStatuses = [
  'received',
  'dispatching',
  'applied',
  'ignored',
  'parked',
  'contested',
  'conflict',
] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Delivered to us, or found missing by a search of the provider's past events. */
export type WebhookSource = 'delivery' | 'reconciliation';

/** A change of an event's status. `received_at` is when it was received. */
interface WebhookChange {
  readonly status: WebhookStatus;
  /** ISO 8601, by the database's clock. */
  readonly at: string;
  readonly detail?: string;
}

/** The content of a delivery that decisions use. */
export interface EventContent {
  readonly eventType: string;
  readonly resource: NotifiedResource;
  readonly resourceIds: readonly string[];
}

export interface WebhookEventsTable {
  id: Generated<number>;
  environment: string;
  application: string;
  event_id: string;
  event_type: string;
  resource: JSONColumnType<NotifiedResource>;
  resource_ids: string[];
  payload: Json;
  status: WebhookStatus;
  detail: string | null;
  subject_id: string | null;
  deliveries: Generated<number>;
  source: Generated<WebhookSource>;
  dispatches: Generated<number>;
  due_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  contradictions: Generated<number>;
  other_contents: ColumnType<readonly EventContent[], string | undefined, string>;
  first_content: ColumnType<EventContent | null, string | null | undefined, string | null>;
  shown_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
  history: ColumnType<WebhookChange[], string | undefined, string>;
  received_at: Generated<Date>;
  status_at: Generated<Date>;
}

export interface WebhookTransmissionsTable {
  environment: string;
  application: string;
  transmission_id: string;
  body_hash: Buffer;
  deliveries: Generated<number>;
  contradictions: Generated<number>;
  first_at: Generated<Date>;
}

export interface WebhookResendsTable {
  id: Generated<number>;
  webhook_event_id: number;
  requested_by: string;
  status_before: WebhookStatus;
  requested_at: Generated<Date>;
}

export interface ProviderResendsTable {
  id: Generated<number>;
  webhook_event_id: number;
  requested_by: string;
  request_key: string;
  requested_at: Generated<Date>;
  /** When the provider has answered, or was given up. */
  finished_at: Date | null;
  /** Why it does not deliver again. */
  problem: string | null;
}

export interface ProviderWebhooksTable {
  environment: string;
  application: string;
  webhook_id: string | null;
  url: string;
  problem: string | null;
  registered_at: Generated<Date>;
  checked_at: Generated<Date>;
}

/** A redacted JSON document: read as parsed, written as text. */
export type Json = ColumnType<unknown, string, string>;

export type WebhookEventRow = Selectable<WebhookEventsTable>;
