import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  // Written when an attempt is claimed: one whose process died is shown as begun and never ended.
  `CREATE TABLE delivery_attempts (
    delivery_id bigint NOT NULL REFERENCES deliveries,
    number integer NOT NULL,
    transmission_id text,
    fault text,
    started_at timestamptz NOT NULL,
    duration_ms integer,
    status integer,
    failure text,
    response_bytes bigint,
    PRIMARY KEY (delivery_id, number))`,
  'ALTER TABLE deliveries ADD COLUMN postponed_by text',
  // Due deliveries are looked up webhook by webhook, so that the backlog of one is never scanned for another.
  "CREATE INDEX deliveries_due_by_webhook ON deliveries (webhook_id, due_at, id) WHERE state = 'pending'",
  'DROP INDEX deliveries_due',
  `CREATE INDEX deliveries_held_back ON deliveries (webhook_id)
    WHERE state = 'pending' AND postponed_by = 'reorder_deliveries' AND attempts = 0`,
  'CREATE INDEX deliveries_by_event ON deliveries (event_id)',
  'CREATE INDEX deliveries_by_webhook ON deliveries (webhook_id, id)',
];

export const faultsAndDeliveryAttempts: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
