import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `CREATE TABLE payout_batches (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES applications,
    sender_id text NOT NULL,
    sender_batch_id text,
    sender_batch_header json NOT NULL,
    status text NOT NULL CHECK (status IN ('PENDING', 'PROCESSING', 'SUCCESS', 'DENIED', 'CANCELED')),
    outcome text NOT NULL CHECK (outcome IN ('success', 'denied', 'unfunded')),
    item_count integer NOT NULL CHECK (item_count > 0),
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    request_id text,
    due_at timestamptz,
    completed_at timestamptz,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  'CREATE INDEX payout_batches_by_sender_id ON payout_batches (client_id, sender_batch_id, created_at)',
  'CREATE INDEX payout_batches_due ON payout_batches (due_at) WHERE due_at IS NOT NULL',
  `CREATE TABLE payout_items (
    id text PRIMARY KEY,
    client_id text NOT NULL,
    batch_id text NOT NULL REFERENCES payout_batches,
    position integer NOT NULL,
    transaction_id text NOT NULL,
    recipient_type text NOT NULL,
    receiver text NOT NULL,
    receiver_id text NOT NULL,
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    sender_item_id text,
    note text,
    echoed json NOT NULL,
    status text NOT NULL DEFAULT 'PENDING' CHECK (status IN ('PENDING', 'SUCCESS', 'FAILED', 'UNCLAIMED', 'RETURNED',
      'ONHOLD', 'BLOCKED', 'REFUNDED', 'REVERSED')),
    refused_as text CHECK (refused_as IN ('DUPLICATE_ITEM', 'SELF_PAY_NOT_ALLOWED')),
    error_name text,
    is_cancelled boolean NOT NULL DEFAULT false,
    processed_at timestamptz,
    due_at timestamptz,
    settles_as text CHECK (settles_as IN ('completed', 'denied')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    UNIQUE (batch_id, position))`,
  'CREATE INDEX payout_items_unprocessed ON payout_items (batch_id, position) WHERE processed_at IS NULL',
  'CREATE INDEX payout_items_due ON payout_items (due_at) WHERE due_at IS NOT NULL',
];

export const payouts: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
