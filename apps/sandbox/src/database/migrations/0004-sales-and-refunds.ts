import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Holds in every race: refunds never exceed what was collected. */
const RETURNABLE = `
  ADD COLUMN refunded_minor bigint NOT NULL DEFAULT 0 CHECK (refunded_minor >= 0),
  ADD COLUMN refund_pending_minor bigint NOT NULL DEFAULT 0 CHECK (refund_pending_minor >= 0),
  ADD COLUMN reversed_minor bigint NOT NULL DEFAULT 0 CHECK (reversed_minor >= 0),
  ADD CHECK (refunded_minor + refund_pending_minor + reversed_minor <= amount_minor),
  ADD CHECK (state IN ('completed', 'partially_refunded', 'refunded')
    OR refunded_minor + refund_pending_minor + reversed_minor = 0)`;

const STATES_OF_COLLECTED = `'pending', 'completed', 'partially_refunded', 'refunded', 'denied'`;

/** Sales that are pending, denied or an agreement's; refunds and reversals of sales and captures. */
const STATEMENTS = [
  'ALTER TABLE sales DROP CONSTRAINT sales_state_check',
  `ALTER TABLE sales ADD CONSTRAINT sales_state_check CHECK (state IN (${STATES_OF_COLLECTED}))`,
  // A sale has its own payer and payee: it need not have a payment to look them up in.
  `ALTER TABLE sales
    ALTER COLUMN payment_id DROP NOT NULL,
    ADD COLUMN billing_agreement_id text,
    ADD COLUMN payer_id text,
    ADD COLUMN payee_id text,
    ADD COLUMN amount_details json,
    ADD COLUMN invoice_number text,
    ADD COLUMN custom text,
    ADD COLUMN request_id text,
    ADD COLUMN settles_at timestamptz,
    ADD COLUMN settles_as text CHECK (settles_as IN ('completed', 'denied')),
    ADD CHECK (num_nonnulls(payment_id, billing_agreement_id) = 1), ${RETURNABLE}`,
  `UPDATE sales SET
    payer_id = payments.payer_id, payee_id = payments.payee_id, amount_details = payments.amount_details,
    invoice_number = payments.invoice_number, custom = payments.custom
    FROM payments WHERE payments.id = sales.payment_id`,
  'ALTER TABLE sales ALTER COLUMN payee_id SET NOT NULL, ALTER COLUMN amount_details SET NOT NULL',
  'CREATE INDEX sales_by_agreement ON sales (billing_agreement_id, created_at, id) WHERE billing_agreement_id IS NOT NULL',
  "CREATE INDEX sales_unsettled ON sales (settles_at) WHERE state = 'pending'",
  'ALTER TABLE captures DROP CONSTRAINT captures_state_check',
  `ALTER TABLE captures
    ADD CONSTRAINT captures_state_check CHECK (state IN (${STATES_OF_COLLECTED})), ${RETURNABLE}`,
  `CREATE TABLE refunds (
    id text PRIMARY KEY,
    client_id text NOT NULL REFERENCES applications,
    payment_id text REFERENCES payments,
    sale_id text REFERENCES sales,
    capture_id text REFERENCES captures,
    state text NOT NULL CHECK (state IN ('pending', 'completed', 'failed', 'cancelled')),
    amount_minor bigint NOT NULL CHECK (amount_minor > 0),
    currency text NOT NULL,
    total_refunded_minor bigint NOT NULL,
    description text,
    reason text,
    invoice_number text,
    custom text,
    request_id text,
    settles_at timestamptz,
    settles_as text CHECK (settles_as IN ('completed', 'failed', 'cancelled')),
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CHECK (num_nonnulls(sale_id, capture_id) = 1))`,
  'CREATE INDEX refunds_by_payment ON refunds (payment_id)',
  'CREATE INDEX refunds_by_sale ON refunds (sale_id)',
  'CREATE INDEX refunds_by_capture ON refunds (capture_id)',
  "CREATE INDEX refunds_unsettled ON refunds (settles_at) WHERE state = 'pending'",
  `UPDATE book_entries SET sale_id = sales.id
    FROM sales WHERE book_entries.kind = 'sale' AND book_entries.payment_id = sales.payment_id`,
  "CREATE UNIQUE INDEX one_movement_per_sale ON book_entries (sale_id) WHERE kind = 'sale'",
  'CREATE INDEX book_entries_by_capture ON book_entries (capture_id) WHERE capture_id IS NOT NULL',
];

export const salesAndRefunds: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
