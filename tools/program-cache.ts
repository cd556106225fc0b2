import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

export interface ProgramNames {
  /** Names what they are and their version: another version never runs in their stead. */
  readonly stamp: string;
  /** File names of the programs. */
  readonly names: readonly string[];
}

interface WantedPrograms extends ProgramNames {
  /** Puts all of them into a folder. @throws Failure when that cannot be done. */
  readonly get: (workFolder: string) => Promise<void>;
}

/**
 * Paths of programs that are got once per user and machine.
 * @param folder of all cached programs; see cacheFolder.
 * @throws Failure of `get`.
 */
export async function findCachedPrograms(
  wanted: WantedPrograms,
  folder = cacheFolder(process.env, homedir()),
): Promise<string[]> {
  const cached = cachedPrograms(wanted, folder);
  if (cached) return cached;
  const home = join(folder, wanted.stamp);
  mkdirSync(home, { recursive: true });
  const workFolder = mkdtempSync(join(home, 'getting-'));
  try {
    await wanted.get(workFolder);
    // Renamed into place whole: another process may look for them, or be getting them, at the same time.
    for (const name of wanted.names) renameSync(join(workFolder, name), join(home, name));
    return pathsOf(wanted, folder);
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

/** Their paths, when all of them are there and run. */
export function cachedPrograms(
  wanted: ProgramNames,
  folder = cacheFolder(process.env, homedir()),
): string[] | undefined {
  const paths = pathsOf(wanted, folder);
  return paths.every(runs) ? paths : undefined;
}

function pathsOf({ stamp, names }: ProgramNames, folder: string): string[] {
  return names.map((name) => join(folder, stamp, name));
}

/** Whether a program is there, is whole and is made for this machine. */
export function runs(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 60_000 }).status === 0;
}

export function cacheFolder(env: NodeJS.ProcessEnv, home: string): string {
  return join(env['XDG_CACHE_HOME'] || join(home, '.cache'), 'payment-lifecycle-engine');
}
