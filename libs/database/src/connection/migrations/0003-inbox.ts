import { type Kysely, sql } from 'kysely';

/** The inbox: leases by the database's clock, the history of each event, and the body of each transmission id. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table webhook_events
    add column source text not null default 'delivery' check (source in ('delivery', 'reconciliation')),
    -- The number of the lease that stands; only its holder may mark the event.
    add column dispatches integer not null default 0,
    -- When the sweep takes the event up: nobody dispatched it, its lease has ended, or it has been parked for long
    -- enough to look again. Null once it is settled.
    add column due_at timestamptz default clock_timestamp(),
    add column contradictions integer not null default 0,
    add column history jsonb not null default '[]'`,
  `update webhook_events set due_at = case
    when status in ('received', 'parked') then status_at
    when status = 'dispatching' then coalesce(lease_until, status_at) end`,
  `drop index webhook_events_open`,
  `alter table webhook_events drop column lease_until`,
  `create index webhook_events_due on webhook_events (due_at) where due_at is not null`,
  `create index webhook_events_by_age on webhook_events (environment, application, id)`,
  `create index webhook_events_by_payment on webhook_events (payment_id, id) where payment_id is not null`,
  `create index webhook_events_conflicting on webhook_events (environment, application, id)
    where status = 'conflict'`,
  // A signature covers a checksum for which collisions can be made: the first body under an id counts.
  `create table webhook_transmissions (
    environment text not null,
    application text not null,
    transmission_id text not null,
    body_hash bytea not null,
    deliveries integer not null default 1,
    contradictions integer not null default 0,
    first_at timestamptz not null default now(),
    primary key (environment, application, transmission_id)
  )`,
  `create table webhook_resends (
    id bigint generated always as identity primary key,
    webhook_event_id bigint not null references webhook_events (id),
    requested_by text not null,
    status_before text not null,
    requested_at timestamptz not null default now()
  )`,
  `create index webhook_resends_by_event on webhook_resends (webhook_event_id, id)`,
  // Null while the engine has no webhook there; then `problem` says why.
  `alter table provider_webhooks alter column webhook_id drop not null`,
  `alter table provider_webhooks
    add column problem text,
    add column checked_at timestamptz not null default now()`,
];
