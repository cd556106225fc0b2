import { simulated } from './database.js';

/** In the place of libs/database/src/transitions/timeline.ts. */
export async function findDetail(
  db: unknown,
  subjectId: string,
  { version, event }: { readonly version: number; readonly event: string },
): Promise<string | undefined> {
  return await simulated(db).run((rows) => {
    const line = rows.timelines.get(subjectId)?.get(version);
    return line?.event === event ? line.detail : undefined;
  });
}
