import { type Kysely, sql } from 'kysely';

/** What a rotation has asked for: another request under its key is refused. Null of rotations before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table notification_rotations add column body_hash text`.execute(db);
}
