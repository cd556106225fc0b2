import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Calls are kept complete, redacted, and found by every filter of the history. Owner and environment are those at the
 * time of the call.
 */
const STATEMENTS = [
  `ALTER TABLE calls
    ADD COLUMN account_id text,
    ADD COLUMN environment text,
    ADD COLUMN query text NOT NULL DEFAULT '',
    ADD COLUMN transaction_id text,
    ADD COLUMN request_headers json,
    ADD COLUMN request_body text,
    ADD COLUMN request_body_note text,
    ADD COLUMN response_headers json,
    ADD COLUMN response_body text,
    ADD COLUMN response_body_note text`,
  'CREATE INDEX calls_by_application ON calls (client_id, started_at, id)',
  'CREATE INDEX calls_by_transaction ON calls (transaction_id, started_at, id) WHERE transaction_id IS NOT NULL',
  // Most calls succeed, and the index by time finds those; the others would need a long scan of it.
  'CREATE INDEX calls_refused_by_class ON calls ((status / 100), started_at, id) WHERE status >= 400',
  'CREATE INDEX calls_refused_by_status ON calls (status, started_at, id) WHERE status >= 400',
  // No index for accounts, environments and parts of an address: each would cost every call more than a scan of the
  // bounded history costs one search.
  // Operators search the events of every application at once.
  'CREATE INDEX events_by_instant ON events (created_at, id)',
];

export const callHistory: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
