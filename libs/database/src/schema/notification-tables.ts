import type { ColumnType, Generated, Selectable } from 'kysely';

/** The tables of the outbox. */

export type EndpointStatus = 'enabled' | 'disabled' | 'deleted';

export interface NotificationEndpointsTable {
  id: string;
  environment: string;
  application: string;
  url: string;
  description: string | null;
  event_types: string[];
  status: Generated<EndpointStatus>;
  status_reason: string | null;
  secret: Buffer;
  previous_secret: Buffer | null;
  previous_until: Date | null;
  idempotency_key: string | null;
  body_hash: string;
  rotation_key: string | null;
  failures: Generated<number>;
  failing_since: Date | null;
  resting_until: Date | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface NotificationRotationsTable {
  endpoint_id: string;
  rotation_key: string;
  /** The one that was replaced. */
  secret: Buffer;
  until: Date;
  body_hash: string | null;
}

export interface NotificationsTable {
  sequence: Generated<number>;
  id: Generated<string>;
  environment: string;
  application: string;
  type: string;
  subject_id: string;
  item_id: string | null;
  fact: string | null;
  version: number | null;
  state: ColumnType<unknown, string | null, string | null>;
  /** Of a payment's row. Null if an older process wrote the notification. */
  refund_changes: number | null;
  /** Those of a payment, as `refundsOf` shows them. Null if it has none. */
  refunds: ColumnType<unknown, string | null, string | null>;
  payload: string | null;
  created_at: Generated<Date>;
}

export const deliveryStates = ['pending', 'delivered', 'failed'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface NotificationDeliveriesTable {
  id: Generated<number>;
  endpoint_id: string;
  sequence: number;
  lane: string;
  state: Generated<DeliveryState>;
  due_at: Generated<Date>;
  leases: Generated<number>;
  tries: Generated<number>;
  last_status: number | null;
  last_reason: string | null;
  finished_at: Date | null;
}

export interface NotificationAttemptsTable {
  delivery_id: number;
  number: number;
  begun_at: Generated<Date>;
  duration_ms: number | null;
  status: number | null;
  reason: string | null;
}

export type NotificationRow = Selectable<NotificationsTable>;
export type NotificationEndpointRow = Selectable<NotificationEndpointsTable>;
