import { type Kysely, sql } from 'kysely';

/** The progress of each application's reconciliation, and the differences (docs/decisions/0011). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create index webhook_events_of_strangers on webhook_events (received_at)
    where status = 'ignored' and payment_id is null`,
  `create table reconciliations (
    environment text not null,
    application text not null,
    -- Every event that began before this instant has been searched for.
    events_until timestamptz not null,
    -- Payments are compared again once the story that ends here has gone on.
    timeline_until bigint not null,
    -- The last payment of the rolling sample, and the last one whose run was asked for; null begins anew.
    sampled_until text,
    runs_until text,
    events_found bigint not null default 0,
    runs_restarted bigint not null default 0,
    events_searched_at timestamptz,
    runs_checked_at timestamptz,
    payments_compared_at timestamptz,
    primary key (environment, application)
  )`,
  `create table drift (
    id bigint generated always as identity primary key,
    environment text not null,
    application text not null,
    payment_id text not null references payments (id),
    field text not null,
    ours text not null,
    theirs text not null,
    first_seen_at timestamptz not null default now(),
    last_seen_at timestamptz not null default now(),
    resolved_at timestamptz
  )`,
  // A difference that was resolved and appears again is another drift.
  `create unique index drift_open on drift (payment_id, field) where resolved_at is null`,
  `create index drift_by_application on drift (environment, application, id desc)`,
  `create index drift_by_payment on drift (payment_id, id)`,
  // Small: a command is accepted only until its run begins it.
  `create index commands_accepted on commands (created_at) where status = 'accepted'`,
];
