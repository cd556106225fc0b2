import { type Kysely, sql } from 'kysely';

/** The outbox: who is told, what, and each try to tell it (docs/decisions/0027). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table notification_endpoints (
    id text primary key,
    environment text not null,
    application text not null,
    url text not null,
    description text,
    -- Empty: all types.
    event_types text[] not null,
    status text not null default 'enabled' check (status in ('enabled', 'disabled', 'deleted')),
    status_reason text,
    -- Encrypted. The previous one signs too until its end, so that receivers can change theirs.
    secret bytea not null,
    previous_secret bytea,
    previous_until timestamptz,
    idempotency_key text,
    body_hash text not null,
    rotation_key text,
    -- Failed attempts since the last success, and since when.
    failures integer not null default 0,
    failing_since timestamptz,
    -- Nothing is sent before.
    resting_until timestamptz,
    created_at timestamptz not null default clock_timestamp(),
    updated_at timestamptz not null default clock_timestamp(),
    unique (environment, application, idempotency_key)
  )`,
  `create table notifications (
    -- Taken while the subject's row is locked: of one subject, a later notification has a higher one.
    sequence bigint generated always as identity primary key,
    id text not null unique default 'evt_' || replace(gen_random_uuid()::text, '-', ''),
    environment text not null,
    application text not null,
    type text not null,
    subject_id text not null,
    item_id text,
    -- What is told once of a subject, however often it is written.
    fact text,
    version integer,
    -- What the payload is made of, until it is made.
    state jsonb,
    -- The body as it is sent, in every try the same.
    payload text,
    created_at timestamptz not null default clock_timestamp(),
    unique (subject_id, fact)
  )`,
  `create index notifications_by_age on notifications (environment, application, sequence)`,
  `create index notifications_by_date on notifications (environment, application, created_at)`,
  `create index notifications_by_type on notifications (environment, application, type, sequence)`,
  `create table notification_deliveries (
    id bigint generated always as identity primary key,
    endpoint_id text not null,
    sequence bigint not null,
    -- Those of one lane are delivered one after the other.
    lane text not null,
    state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
    due_at timestamptz not null default clock_timestamp(),
    -- The number of the lease that stands; only its holder records a result.
    leases integer not null default 0,
    -- Attempts since it was asked for last.
    tries integer not null default 0,
    last_status integer,
    last_reason text,
    finished_at timestamptz,
    unique (endpoint_id, sequence)
  )`,
  `create index notification_deliveries_due on notification_deliveries (endpoint_id, due_at) where state = 'pending'`,
  `create index notification_deliveries_lanes on notification_deliveries (endpoint_id, lane, sequence)
    where state = 'pending'`,
  // The few that are listed or sent again among many that were delivered.
  `create index notification_deliveries_open on notification_deliveries (endpoint_id, state, sequence)
    where state <> 'delivered'`,
  `create index notification_deliveries_by_notification on notification_deliveries (sequence)`,
  `create table notification_attempts (
    delivery_id bigint not null,
    number integer not null,
    begun_at timestamptz not null default clock_timestamp(),
    -- Null while it is under way, or if its process died.
    duration_ms integer,
    status integer,
    reason text,
    primary key (delivery_id, number)
  )`,
];
