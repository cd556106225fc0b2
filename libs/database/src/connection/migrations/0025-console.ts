import { type Kysely, sql } from 'kysely';

/** Who may see the console, and what they have done there (docs/decisions/0030). */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table console_sessions (
    id text primary key,
    user_name text not null,
    token_sha256 text not null unique,
    credential_sha256 text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz not null,
    last_used_at timestamptz not null default now(),
    ended_at timestamptz
  )`,
  `create index console_sessions_by_age on console_sessions (created_at desc)`,
  // Of names in groups, so that invented names cannot fill the table.
  `create table console_sign_in_failures (
    name_group text primary key,
    failures integer not null,
    last_at timestamptz not null
  )`,
  `create table console_audit (
    id bigint generated always as identity primary key,
    at timestamptz not null default clock_timestamp(),
    user_name text not null,
    role text not null,
    action text not null,
    environment text,
    application text,
    subject_id text,
    idempotency_key text,
    reason text,
    detail text
  )`,
  `create index console_audit_by_subject on console_audit (subject_id, id) where subject_id is not null`,
  `create index console_audit_by_user on console_audit (user_name, id)`,
];
