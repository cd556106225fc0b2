import type { Database } from '../connection/database.js';

export type StoredEntry = Awaited<ReturnType<typeof listTimeline>>[number];

/** The timeline of a subject in order, as its run has written it. */
export async function listTimeline(db: Database, subjectId: string) {
  return await db
    .selectFrom('timeline')
    .select(['version', 'event', 'kind', 'from_status', 'to_status', 'detail', 'command_id', 'at'])
    .where('subject_id', '=', subjectId)
    .where('is_superseded', '=', false)
    .orderBy('version')
    .execute();
}

/** The detail of the line with this version and event; undefined if there is no such line, or it has no detail. */
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
