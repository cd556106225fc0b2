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
import { Failure } from '#tools/failure.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { projectRoot } from '#tools/project.js';
import { replaceCode } from '../breakages/replace-code.js';
import type { Mutant } from './catalogue/mutant.js';

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

  /** @throws Failure naming every mutant whose text is not there; known before an hour is spent on the others. */
  assertFits(mutants: readonly Mutant[]): void {
    const misfits = mutants.flatMap((mutant) => {
      const text = mutated(mutant, this.read(mutant));
      return text === undefined ? [`${mutant.name}: ${mutant.file} must hold its text exactly once`] : [];
    });
    if (misfits.length > 0) throw new Failure(`The engine has moved on:\n${misfits.join('\n')}`);
  }

  /** Applies the mutant, works with it, and takes it back. */
  async with<T>(mutant: Mutant, work: () => Promise<T>): Promise<T> {
    const path = join(this.folder, mutant.file);
    const original = this.read(mutant);
    try {
      writeFileSync(path, mutated(mutant, original) ?? original);
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

/** Undefined if a text is missing or not unique: a mutant that changes nothing would always survive. */
export function mutated({ changes }: Mutant, source: string): string | undefined {
  return changes.reduce<string | undefined>(
    (text, change) => (text === undefined ? undefined : replaceCode(text, change)),
    source,
  );
}

function deleteTestRuns(folder: string): void {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) deleteDataFolder(join(folder, name));
}
