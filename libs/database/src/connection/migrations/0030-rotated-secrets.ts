import { type Kysely, sql } from 'kysely';

/**
 * The secrets that rotations have replaced, and the idempotency keys of all rotations of an endpoint. The columns of
 * 0019 keep the last one only: processes of the release before use them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table notification_rotations (
    endpoint_id text not null references notification_endpoints,
    rotation_key text not null,
    -- Encrypted. The secret that was replaced signs too until its end.
    secret bytea not null,
    until timestamptz not null,
    primary key (endpoint_id, rotation_key)
  )`.execute(db);
  await sql`insert into notification_rotations (endpoint_id, rotation_key, secret, until)
    select id, rotation_key, previous_secret, previous_until from notification_endpoints
    where rotation_key is not null and previous_secret is not null and previous_until is not null`.execute(
    db,
  );
}
