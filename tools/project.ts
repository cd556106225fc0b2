import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The clone's folder, or that of the sandbox's package, whether this module runs from its source or from dist/. */
export const projectRoot = folderWithPackage(dirname(fileURLToPath(import.meta.url)));

/** dist/ has a copy of package.json, from which compiled modules learn the names of libs and apps. */
function folderWithPackage(folder: string): string {
  if (basename(folder) !== 'dist' && existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('package.json was not found above the tools folder');
  return folderWithPackage(parent);
}
