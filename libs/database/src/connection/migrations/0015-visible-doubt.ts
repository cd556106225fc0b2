import { type Kysely, sql } from 'kysely';

/**
 * Versions follow the timeline. The versions that callers saw before counted more events, so the least version to show is
 * stored. Drift distinguishes "not read" from "different".
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['payments', 'refunds', 'plans', 'subscriptions', 'payouts']) {
    const subjects = sql.table(table);
    await sql`alter table ${subjects} add column version_floor integer not null default 0`.execute(db);
    // Of most subjects the newest timeline line has the row's version.
    await sql`update ${subjects} as subject set version_floor = subject.version
      where subject.version > coalesce((select max(line.version) from timeline as line where line.subject_id = subject.id), 0)`.execute(
      db,
    );
  }
  await sql`alter table drift add column is_unread boolean not null default false`.execute(db);
  await sql`update drift set is_unread = true where theirs in ('no answer', 'unreadable')`.execute(db);
}
