import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Billing plans, billing agreements, and what the agreements charged. */
const STATEMENTS = [
  `CREATE TABLE billing_plans (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES applications,
    payee_id text NOT NULL,
    state text NOT NULL CHECK (state IN ('CREATED', 'ACTIVE', 'INACTIVE', 'DELETED')),
    terms json NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL)`,
  'CREATE INDEX billing_plans_by_state ON billing_plans (client_id, state, created_at DESC, id DESC)',
  "CREATE INDEX billing_plans_by_time ON billing_plans (client_id, created_at DESC, id DESC) WHERE state <> 'DELETED'",
  `CREATE TABLE billing_agreements (
    token text PRIMARY KEY,
    id text UNIQUE,
    client_id text NOT NULL REFERENCES applications,
    plan_id text NOT NULL REFERENCES billing_plans,
    terms json NOT NULL,
    state text CHECK (state IN ('Pending', 'Active', 'Suspended', 'Cancelled', 'Expired')),
    name text NOT NULL,
    description text NOT NULL,
    start_at timestamptz NOT NULL,
    payment_method text NOT NULL,
    shipping_address json,
    payer_id text,
    payer_info json,
    payer_approved_at timestamptz,
    payee_id text NOT NULL,
    day_length_ms bigint NOT NULL,
    outstanding_minor bigint NOT NULL DEFAULT 0 CHECK (outstanding_minor >= 0),
    cycles_done integer NOT NULL DEFAULT 0,
    trial_slots_skipped bigint NOT NULL DEFAULT 0,
    regular_slots_skipped bigint NOT NULL DEFAULT 0,
    failed_payments integer NOT NULL DEFAULT 0,
    next_billing_at timestamptz,
    last_payment_at timestamptz,
    last_payment_minor bigint,
    settles_at timestamptz,
    settles_as text CHECK (settles_as IN ('active', 'denied', 'cancelled')),
    expires_at timestamptz NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK ((id IS NULL) = (state IS NULL)),
    CHECK (state IN ('Pending', 'Active') OR next_billing_at IS NULL))`,
  "CREATE INDEX billing_agreements_due ON billing_agreements (next_billing_at) WHERE state = 'Active'",
  "CREATE INDEX billing_agreements_unsettled ON billing_agreements (settles_at) WHERE state = 'Pending'",
  `CREATE TABLE agreement_transactions (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    agreement_id text NOT NULL REFERENCES billing_agreements (id),
    kind text NOT NULL CHECK (kind IN ('setup', 'cycle', 'balance', 'waiver',
      'Created', 'Updated', 'Suspended', 'Reactivated', 'Canceled', 'Expired')),
    cycle integer CHECK (cycle > 0),
    due_minor bigint NOT NULL DEFAULT 0 CHECK (due_minor >= 0),
    amount_minor bigint NOT NULL DEFAULT 0 CHECK (amount_minor >= 0),
    waived_minor bigint NOT NULL DEFAULT 0 CHECK (waived_minor >= 0),
    status text CHECK (status IN ('completed', 'pending', 'failed')),
    sale_id text UNIQUE REFERENCES sales,
    created_at timestamptz NOT NULL,
    CHECK ((kind = 'cycle') = (cycle IS NOT NULL)),
    CHECK ((kind IN ('setup', 'cycle', 'balance')) = (status IS NOT NULL)))`,
  // No crash, no restart and no race may charge a cycle, or the setup fee, twice.
  'CREATE UNIQUE INDEX one_charge_per_cycle ON agreement_transactions (agreement_id, cycle) WHERE cycle IS NOT NULL',
  "CREATE UNIQUE INDEX one_setup_fee_per_agreement ON agreement_transactions (agreement_id) WHERE kind = 'setup'",
  'CREATE INDEX agreement_transactions_by_time ON agreement_transactions (agreement_id, created_at, id)',
  "CREATE INDEX agreement_transactions_unsettled ON agreement_transactions (sale_id) WHERE status = 'pending'",
];

export const subscriptions: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
