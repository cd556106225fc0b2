import { resolve } from 'node:path';
import { projectRoot } from './project.js';

/** DATA_DIR, else `.data` in the clone, which git ignores. Absolute. */
export function dataFolderFrom(env: NodeJS.ProcessEnv): string {
  return resolve(projectRoot, env['DATA_DIR'] || '.data');
}
