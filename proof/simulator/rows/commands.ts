import { simulated } from './database.js';

/** In the place of libs/database/src/commands/command-rows.ts. */
export async function findCommand(db: unknown, id: string) {
  return await simulated(db).run((rows) => {
    const row = rows.commands.get(id);
    return row && { ...row, subject_id: row.subjectId };
  });
}
