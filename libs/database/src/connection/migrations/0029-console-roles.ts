import { type Kysely, sql } from 'kysely';

/**
 * The role of a session that an identity provider has vouched for. Null for the users of the configuration, which names
 * their roles; older processes write no role and know no such sessions.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table console_sessions add column role text`.execute(db);
}
