import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../failure.js';
import { deleteDataFolder } from '../postgres-installation.js';
import { projectRoot } from '../project.js';
import type { Mutant } from './mutant.js';

const notCopied: ReadonlySet<string> = new Set(['.data', '.git', 'coverage', 'dist', 'node_modules']);

/** A copy of the clone as it stands, uncommitted changes included, in which the engine may be broken. */
export class Workspace {
  private constructor(readonly folder: string) {}

  /** @param folder is replaced; a test run of its own may have left databases there. */
  static create(folder: string): Workspace {
    deleteTestRuns(join(folder, '.data/test'));
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    for (const name of readdirSync(projectRoot)) {
      if (!notCopied.has(name)) cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(projectRoot, 'node_modules'), join(folder, 'node_modules'));
    return new Workspace(folder);
  }

  /** @throws Failure for a mutant whose text is not there; known before hours are spent on the others. */
  assertFits(mutants: readonly Mutant[]): void {
    for (const mutant of mutants) mutated(mutant, this.read(mutant));
  }

  /** Applies the mutant, works with it, and takes it back. */
  async with<T>(mutant: Mutant, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutant.file);
    const original = this.read(mutant);
    try {
      writeFileSync(path, mutated(mutant, original));
      return await work();
    } finally {
      writeFileSync(path, original);
    }
  }

  delete(): void {
    deleteTestRuns(join(this.folder, '.data/test'));
    rmSync(this.folder, { recursive: true, force: true });
  }

  private read({ file }: Mutant): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }
}

/** @throws Failure when the text is gone or no longer alone: a mutant that changes nothing would survive for ever. */
export function mutated({ name, file, changes }: Mutant, source: string): string {
  return changes.reduce((text, { from, to }) => {
    const parts = text.split(from);
    if (parts.length === 2) return parts.join(to);
    throw new Failure(
      `Mutant ${name}: ${file} must hold this exactly once, not ${parts.length - 1} times:\n${from}`,
    );
  }, source);
}

function deleteTestRuns(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) deleteDataFolder(join(folder, name));
}
