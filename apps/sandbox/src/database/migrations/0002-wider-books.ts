import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** The books also record money that belongs to no payment, and money that is returned. */
const STATEMENTS = [
  'ALTER TABLE book_entries ALTER COLUMN payment_id DROP NOT NULL',
  `ALTER TABLE book_entries
    ADD COLUMN sale_id text, ADD COLUMN refund_id text, ADD COLUMN agreement_id text, ADD COLUMN payout_item_id text`,
  'ALTER TABLE book_entries DROP CONSTRAINT book_entries_kind_check',
  `ALTER TABLE book_entries ADD CONSTRAINT book_entries_kind_check CHECK (kind IN
    ('hold', 'capture', 'release', 'sale', 'refund', 'reversal', 'payout', 'payout_return'))`,
  // No race and no repeat may book these twice.
  "CREATE UNIQUE INDEX one_movement_per_refund ON book_entries (refund_id) WHERE kind = 'refund'",
  `CREATE UNIQUE INDEX one_movement_of_a_kind_per_payout_item ON book_entries (payout_item_id, kind)
    WHERE payout_item_id IS NOT NULL`,
  'ALTER TABLE idempotent_answers ALTER COLUMN answer DROP NOT NULL',
  'CREATE INDEX book_entries_by_agreement ON book_entries (agreement_id) WHERE agreement_id IS NOT NULL',
];

export const widerBooks: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
