import { type Kysely, sql } from 'kysely';

/** Payout batches and their items. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table payouts (
    id text primary key,
    environment text not null,
    application text not null,
    reference text,
    status text not null,
    state jsonb not null,
    version integer not null,
    -- Receivers and what is written to them, encrypted; null from the moment on in which the provider has them.
    sealed_letters bytea,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index payouts_by_age on payouts (environment, application, id desc)`,
  `create index payouts_by_status on payouts (environment, application, status, id desc)`,
  `create table payout_items (
    payout_id text not null references payouts (id),
    item_id text not null,
    position integer not null,
    receiver_type text not null,
    receiver_masked text not null,
    minor bigint not null check (minor > 0),
    currency text not null,
    status text not null,
    provider_item_id text,
    transaction_id text,
    error_code text,
    updated_at timestamptz not null default now(),
    primary key (payout_id, item_id),
    unique (payout_id, position)
  )`,
  // For a page of the items of one status, however many items there are.
  `create index payout_items_by_status on payout_items (payout_id, status, position)`,
];
