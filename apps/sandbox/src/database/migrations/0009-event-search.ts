import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Past events are found by type and by the ids in them, each in the order of an index. */
const STATEMENTS = [
  `CREATE TABLE event_subjects (
    client_id text NOT NULL,
    subject_id text NOT NULL,
    created_at timestamptz NOT NULL,
    event_id text NOT NULL REFERENCES events,
    PRIMARY KEY (client_id, subject_id, created_at, event_id))`,
  `INSERT INTO event_subjects (client_id, subject_id, created_at, event_id)
    SELECT client_id, resource_id, created_at, id FROM events`,
  'DROP INDEX events_by_resource',
  'CREATE INDEX events_by_type ON events (client_id, event_type, created_at, id)',
  'ALTER TABLE events ADD COLUMN is_simulated boolean NOT NULL DEFAULT false',
  // The address of a delivery that belongs to no registered webhook.
  'ALTER TABLE deliveries ADD COLUMN url text',
];

export const eventSearch: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
