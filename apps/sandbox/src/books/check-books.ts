import { sql, type Kysely } from 'kysely';
import type { Tables } from '../database/tables.js';
import { AGREEMENT_RULES } from './agreement-rules.js';
import { AUTHORIZATION_RULES } from './authorization-rules.js';
import { BELONGING_RULES } from './belonging-rules.js';
import { MOVEMENT_RULES } from './movement-rules.js';
import { PAYMENT_RULES } from './payment-rules.js';
import { PAYOUT_RULES } from './payout-rules.js';
import { SALE_AND_REFUND_RULES } from './sale-and-refund-rules.js';

export interface Violation {
  rule: string;
  subject: string;
}

/** Each rule is a query that finds its violations. */
const RULES: Readonly<Record<string, string>> = {
  'every entry has two postings that sum to zero': `
    SELECT entry.id::text AS subject FROM book_entries AS entry
    LEFT JOIN book_postings AS posting ON posting.entry_id = entry.id
    GROUP BY entry.id, entry.amount_minor
    HAVING count(posting) <> 2 OR sum(posting.amount_minor) <> 0 OR max(posting.amount_minor) <> entry.amount_minor`,
  'no hold is overdrawn': `
    SELECT account AS subject FROM book_postings WHERE account LIKE 'hold:%'
    GROUP BY account HAVING sum(amount_minor) < 0`,
  ...MOVEMENT_RULES,
  ...BELONGING_RULES,
  ...PAYMENT_RULES,
  ...AUTHORIZATION_RULES,
  ...SALE_AND_REFUND_RULES,
  ...PAYOUT_RULES,
  ...AGREEMENT_RULES,
};

/** Checks the books at one instant. Entries are compared with states, so a state without its money is found, too. */
export function checkBooks(database: Kysely<Tables>): Promise<Violation[]> {
  const snapshot = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return snapshot.execute(async (transaction) => {
    const violations: Violation[] = [];
    for (const [rule, query] of Object.entries(RULES)) {
      const { rows } = await sql.raw<{ subject: string }>(query).execute(transaction);
      violations.push(...rows.map(({ subject }) => ({ rule, subject })));
    }
    return violations;
  });
}
