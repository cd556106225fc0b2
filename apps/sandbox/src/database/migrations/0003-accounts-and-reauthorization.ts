import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

const STATEMENTS = [
  `ALTER TABLE accounts
    ADD COLUMN kind text NOT NULL DEFAULT 'business' CHECK (kind IN ('business', 'personal')),
    ADD COLUMN email text,
    ADD COLUMN first_name text,
    ADD COLUMN last_name text,
    ADD COLUMN business_name text,
    ADD COLUMN country_code text NOT NULL DEFAULT 'US',
    ADD COLUMN funding_declines boolean NOT NULL DEFAULT false`,
  'CREATE UNIQUE INDEX accounts_email ON accounts (environment, lower(email)) WHERE email IS NOT NULL',
  'CREATE INDEX accounts_by_kind ON accounts (environment, kind, created_at, id)',
  // The default payer; each environment has its own.
  `INSERT INTO accounts (id, environment, kind, email, first_name, last_name, created_at) VALUES
    ('SANDBOXPAYER1', 'sandbox', 'personal', 'payer@sandbox.example', 'Sandbox', 'Payer', date_trunc('milliseconds', now())),
    ('LIVEPAYER1', 'live', 'personal', 'payer@live.example', 'Live', 'Payer', date_trunc('milliseconds', now()))
    ON CONFLICT DO NOTHING`,

  'ALTER TABLE payments ADD COLUMN payer_info json',
  `UPDATE payments SET payer_info = '{"payer_id":"SANDBOXPAYER1","email":"payer@sandbox.example",
    "first_name":"Sandbox","last_name":"Payer","country_code":"US"}' WHERE payer_approved_at IS NOT NULL`,
  'ALTER TABLE payments DROP CONSTRAINT payments_state_check',
  `ALTER TABLE payments ADD CONSTRAINT payments_state_check
    CHECK (state IN ('created', 'in_progress', 'approved', 'failed'))`,
  'CREATE INDEX payments_by_payee ON payments (client_id, payee_id, created_at, id)',

  'ALTER TABLE authorizations DROP CONSTRAINT authorizations_payment_id_key',
  'CREATE INDEX authorizations_by_payment ON authorizations (payment_id, created_at, id)',
  'ALTER TABLE authorizations DROP CONSTRAINT authorizations_state_check',
  `ALTER TABLE authorizations ADD CONSTRAINT authorizations_state_check CHECK (state IN
    ('pending', 'authorized', 'partially_captured', 'captured', 'denied', 'voided', 'expired'))`,
  // One successor at most: no race reauthorizes twice under a new id.
  `ALTER TABLE authorizations
    ADD COLUMN honored_until timestamptz,
    ADD COLUMN original_minor bigint,
    ADD COLUMN renewed_minor bigint NOT NULL DEFAULT 0 CHECK (renewed_minor >= 0),
    ADD COLUMN renewals integer NOT NULL DEFAULT 0 CHECK (renewals >= 0),
    ADD COLUMN parent_id text UNIQUE REFERENCES authorizations,
    ADD COLUMN settles_at timestamptz,
    ADD COLUMN settles_as text CHECK (settles_as IN ('authorized', 'denied')),
    ADD CHECK (renewed_minor <= released_minor)`,
  `UPDATE authorizations SET original_minor = amount_minor,
    honored_until = created_at + (valid_until - created_at) * 3 / 29`,
  `ALTER TABLE authorizations
    ALTER COLUMN honored_until SET NOT NULL,
    ALTER COLUMN original_minor SET NOT NULL`,
  "CREATE INDEX authorizations_unsettled ON authorizations (settles_at) WHERE state = 'pending'",
];

export const accountsAndReauthorization: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
