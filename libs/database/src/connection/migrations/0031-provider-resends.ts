import { type Kysely, sql } from 'kysely';

/** Requests to the provider to deliver an event again. A request goes with its event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table provider_resends (
    id bigint generated always as identity primary key,
    webhook_event_id bigint not null references webhook_events (id) on delete cascade,
    requested_by text not null,
    -- Of the form that requested it: one that is sent twice requests once.
    request_key text not null,
    requested_at timestamptz not null default now(),
    finished_at timestamptz,
    problem text,
    unique (webhook_event_id, request_key)
  )`.execute(db);
  await sql`create index provider_resends_open on provider_resends (id) where finished_at is null`.execute(
    db,
  );
}
