import { existsSync } from 'node:fs';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { claimDataFolder, releaseDataFolder } from '#tools/process-records.js';

/** Deletes what the run before has left; that one may have been killed, but it must not be running. */
export async function clearDataFolder(dataFolder: string): Promise<void> {
  if (!existsSync(dataFolder)) return;
  await claimDataFolder(dataFolder);
  releaseDataFolder(dataFolder);
  deleteDataFolder(dataFolder);
}
