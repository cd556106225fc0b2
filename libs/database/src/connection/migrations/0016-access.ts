import { type Kysely, sql } from 'kysely';

/** The row of a payer's cancellation, and the sessions that may read histories (docs/decisions/0021). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['payments', 'subscriptions']) {
    await sql`alter table ${sql.table(table)} add column payer_cancelled_at timestamptz`.execute(db);
  }
  await sql`create table codec_sessions (
    id text primary key,
    environment text not null,
    application text not null,
    key_id text not null,
    token_sha256 text not null unique,
    link_sha256 text unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    signed_in_at timestamptz,
    revoked_at timestamptz,
    last_used_at timestamptz,
    payloads_shown bigint not null default 0
  )`.execute(db);
  await sql`create index codec_sessions_by_age
    on codec_sessions (environment, application, created_at desc, id desc)`.execute(db);
}
