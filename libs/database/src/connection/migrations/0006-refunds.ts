import { type Kysely, sql } from 'kysely';

/** Refunds and reversals of payments: one row for each, with its timeline. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table refunds (
    environment text not null,
    application text not null,
    id text not null,
    payment_id text not null references payments (id),
    kind text not null check (kind in ('refund', 'reversal')),
    provider_refund_id text,
    collected_kind text check (collected_kind in ('capture', 'sale')),
    collected_id text,
    -- Null until the provider has told how much, which it never does of a partial reversal.
    minor bigint check (minor >= 0),
    currency text,
    status text not null check (status in ('observed', 'pending', 'completed', 'failed', 'cancelled', 'unfounded')),
    state jsonb not null,
    version integer not null,
    timeline jsonb not null,
    refunded_at timestamptz,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    primary key (environment, application, id),
    check ((minor is null) = (currency is null)),
    check ((collected_kind is null) = (collected_id is null)),
    check ((kind = 'refund') = (provider_refund_id is not null))
  )`,
  `create index refunds_by_payment on refunds (payment_id, created_at)`,
];
