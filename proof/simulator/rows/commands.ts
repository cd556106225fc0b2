import { simulated } from './database.js';
import type { CommandRow } from './rows.js';

/** In the place of libs/database/src/commands.ts. */
export async function findCommand(db: unknown, id: string): Promise<CommandRow | undefined> {
  return await simulated(db).run((rows) => rows.commands.get(id));
}
