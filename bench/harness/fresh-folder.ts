import { mkdirSync, mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { dataFolderFrom } from '#tools/data-folder.js';

/** A new one for each run: rows and histories of an earlier one would slow this one down. */
export function freshFolder(name: string): string {
  const parent = dataFolderFrom(process.env);
  mkdirSync(parent, { recursive: true });
  return mkdtempSync(join(parent, `${name}-`));
}
