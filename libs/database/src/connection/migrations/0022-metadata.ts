import { type Kysely, sql } from 'kysely';

/** What order services keep with their orders, and what lists can be filtered by. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  ...['payments', 'refunds', 'subscriptions', 'payouts'].map(
    (table) => `alter table ${table} add column metadata jsonb not null default '{}'`,
  ),
  // Of the state, so that they always agree with it; columns and not expressions, so that an update that changes
  // neither needs no new entries in indexes.
  `alter table payments
    add column amount_minor bigint generated always as ((state->'order'->'amount'->>'minor')::bigint) stored,
    add column currency text generated always as (state->'order'->'amount'->>'currency') stored,
    add column hold_until bigint generated always as ((state->'authorization'->>'validUntil')::bigint) stored`,
  `create index payments_by_amount on payments (environment, application, currency, amount_minor)`,
  `create index payments_by_hold on payments (environment, application, hold_until)
    where status not in ('captured', 'voided', 'completed', 'declined', 'cancelled', 'expired')`,
];
