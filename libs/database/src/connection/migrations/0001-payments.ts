import { type Kysely, sql } from 'kysely';

/** Payments of intent authorize: read models, commands, attempts, evidence, the webhook inbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table payments (
    id text primary key,
    environment text not null,
    application text not null,
    order_id text not null,
    intent text not null,
    status text not null,
    state jsonb not null,
    version integer not null,
    description text,
    payee_masked text,
    return_url text not null,
    cancel_url text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now()
  )`,
  `create index payments_by_age on payments (environment, application, id desc)`,
  `create index payments_by_status on payments (environment, application, status, id desc)`,
  `create index payments_by_order on payments (environment, application, order_id, id desc)`,
  // The row, not Temporal, is the authority on requests: one row per application and idempotency key.
  `create table commands (
    id text primary key,
    environment text not null,
    application text not null,
    idempotency_key text not null,
    body_hash text not null,
    kind text not null,
    payment_id text not null references payments (id),
    parameters jsonb not null,
    status text not null check (status in ('accepted', 'executing', 'succeeded', 'failed', 'refused')),
    result jsonb,
    requested_by text not null,
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    unique (environment, application, idempotency_key)
  )`,
  `create index commands_by_payment on commands (payment_id, created_at)`,
  // Committed before each POST that can move money, so that a crash leaves evidence.
  `create table attempts (
    id bigint generated always as identity primary key,
    payment_id text not null references payments (id),
    step_number integer not null,
    attempt_number integer not null,
    step jsonb not null,
    request_id text not null unique,
    reference text not null unique,
    begun_at timestamptz not null,
    send_by timestamptz not null,
    outcome text check (outcome in ('answered', 'declined', 'deferred', 'unknown', 'undone')),
    event jsonb,
    settled_at timestamptz,
    unique (payment_id, step_number, attempt_number)
  )`,
  `create table resources (
    environment text not null,
    application text not null,
    resource_id text not null,
    kind text not null,
    payment_id text not null references payments (id),
    created_at timestamptz not null default now(),
    primary key (environment, application, resource_id)
  )`,
  `create index resources_by_payment on resources (payment_id)`,
  `create table timeline (
    id bigint generated always as identity primary key,
    payment_id text not null references payments (id),
    version integer not null,
    event text not null,
    kind text not null check (kind in ('moved', 'refused', 'conflict')),
    from_status text not null,
    to_status text not null,
    detail text,
    command_id text,
    at timestamptz not null,
    unique (payment_id, version)
  )`,
  `create table api_calls (
    id bigint generated always as identity primary key,
    environment text not null,
    application text not null,
    payment_id text,
    operation text not null,
    method text not null,
    path text not null,
    status integer,
    request_id text,
    debug_id text,
    transaction_id text,
    started_at timestamptz not null,
    duration_ms integer not null,
    request jsonb,
    response jsonb,
    request_headers jsonb,
    response_headers jsonb,
    error text
  )`,
  `create index api_calls_by_payment on api_calls (payment_id, id)`,
  `create table webhook_events (
    id bigint generated always as identity primary key,
    environment text not null,
    application text not null,
    event_id text not null,
    event_type text not null,
    resource jsonb not null,
    resource_ids text[] not null,
    payload jsonb not null,
    status text not null check (status in ('received', 'dispatching', 'applied', 'ignored', 'parked', 'conflict')),
    detail text,
    payment_id text,
    deliveries integer not null default 1,
    lease_until timestamptz,
    received_at timestamptz not null default now(),
    status_at timestamptz not null default now(),
    unique (environment, application, event_id)
  )`,
  `create index webhook_events_open on webhook_events (status_at) where status in ('received', 'dispatching', 'parked')`,
  `create index webhook_events_parked on webhook_events using gin (resource_ids) where status = 'parked'`,
  `create table provider_webhooks (
    environment text not null,
    application text not null,
    webhook_id text not null,
    url text not null,
    registered_at timestamptz not null default now(),
    primary key (environment, application)
  )`,
];
