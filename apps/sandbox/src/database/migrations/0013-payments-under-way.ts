import { sql, type Kysely } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Pending payments are found by their agreement: each cycle reads what is under way before it adds to it. */
const STATEMENTS = [
  `CREATE INDEX agreement_transactions_under_way ON agreement_transactions (agreement_id, id)
    INCLUDE (sale_id, amount_minor) WHERE status = 'pending'`,
  'DROP INDEX agreement_transactions_unsettled',
];

export const paymentsUnderWay: Migration = {
  async up(database: Kysely<unknown>) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(database);
  },
};
