import type { Database } from '../connection/database.js';

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

/** What the line of a version says of such an event; undefined where there is no such line, or it says nothing. */
export async function findDetail(
  db: Database,
  subjectId: string,
  { version, event }: { readonly version: number; readonly event: string },
): Promise<string | undefined> {
  const line = await db
    .selectFrom('timeline')
    .select('detail')
    .where('subject_id', '=', subjectId)
    .where('version', '=', version)
    .where('event', '=', event)
    .executeTakeFirst();
  return line?.detail ?? undefined;
}
