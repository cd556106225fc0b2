import type { Database } from './database.js';

export type StoredEntry = Awaited<ReturnType<typeof listTimeline>>[number];

/** A story in order, for an answer and for operators. */
export async function listTimeline(db: Database, subjectId: string) {
  return await db
    .selectFrom('timeline')
    .select(['version', 'event', 'kind', 'from_status', 'to_status', 'detail', 'command_id', 'at'])
    .where('subject_id', '=', subjectId)
    .orderBy('version')
    .execute();
}
