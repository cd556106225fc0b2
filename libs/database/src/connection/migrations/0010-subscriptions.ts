import { type Kysely, sql } from 'kysely';

/** Plans, subscriptions, and the payments of subscriptions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table plans (
    id text primary key,
    environment text not null,
    application text not null,
    name text not null,
    content_hash text not null,
    status text not null,
    state jsonb not null,
    version integer not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index plans_by_age on plans (environment, application, id desc)`,
  `create index plans_by_status on plans (environment, application, status, id desc)`,
  // Equal content is one plan, as long as that plan can be used.
  `create unique index plans_by_content on plans (environment, application, content_hash)
    where status not in ('deleted', 'declined')`,
  `create table subscriptions (
    id text primary key,
    environment text not null,
    application text not null,
    plan_id text not null references plans (id),
    name text not null,
    description text not null,
    return_url text not null,
    cancel_url text not null,
    status text not null,
    state jsonb not null,
    version integer not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index subscriptions_by_age on subscriptions (environment, application, id desc)`,
  `create index subscriptions_by_status on subscriptions (environment, application, status, id desc)`,
  `create index subscriptions_by_plan on subscriptions (plan_id, id desc)`,
  // A failed payment has the agreement's id instead of its own, so the instant is a part of the key.
  `create table subscription_payments (
    subscription_id text not null references subscriptions (id),
    transaction_id text not null,
    at timestamptz not null,
    status text not null,
    minor bigint not null check (minor >= 0),
    currency text not null,
    primary key (subscription_id, at, transaction_id)
  )`,
];
