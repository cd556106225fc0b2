import { type Kysely, sql } from 'kysely';

/** For lists of refunds and payouts by amount. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index refunds_by_amount on refunds (environment, application, currency, minor)`,
  `create index payouts_by_amount on payouts (environment, application,
    (state->'order'->'total'->>'currency'), ((state->'order'->'total'->>'minor')::bigint))`,
];
