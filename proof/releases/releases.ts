import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runToEnd } from '#tools/child-output.js';
import { Failure } from '#tools/failure.js';
import { projectRoot } from '#tools/project.js';
import type { Random } from '../faults/random.js';
import type { Change, ReleaseNumber } from './changes.js';
import type { Fleet } from './fleet.js';
import { bundleWith, type GeneratedPatch, patchPlaces } from './generated-bundle.js';
import type { LaterMigrations } from './migrations.js';

interface Parts {
  readonly fleet: Fleet;
  readonly migrations: LaterMigrations;
  readonly random: Random;
  readonly dataFolder: string;
  readonly engineDatabase: string;
  /** Its patches are not guarded. */
  readonly isUnpatched: boolean;
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Makes changes as docs/operations.md tells a platform team to make them. */
export class Releases {
  readonly #code = readFileSync(join(projectRoot, 'dist/workflow-bundle.js'), 'utf8');
  readonly #patches: GeneratedPatch[] = [];
  #now: ReleaseNumber = 0;

  constructor(private readonly parts: Parts) {}

  async make(change: Change): Promise<void> {
    const { fleet, migrations, report } = this.parts;
    switch (change.what) {
      case 'migration':
        report(await migrations.addOne());
        return;
      case 'workers':
        return await fleet.scaleWorkers(change.count, this.#variables());
      case 'APIs':
        return await fleet.scaleApis(change.count);
      case 'release':
      case 'back':
        if (change.migrates) report(await migrations.addOne());
        // The step of a release before changes nothing on the newer schema.
        else await this.#migrate();
        this.#now = change.to;
        return await this.#replace(change.order);
    }
  }

  async #replace(order: 'workers first' | 'APIs first' | 'side by side'): Promise<void> {
    const { fleet } = this.parts;
    const workers = (): Promise<void> => fleet.replaceWorkers(this.#variables());
    const apis = (): Promise<void> => fleet.replaceApis();
    if (order === 'side by side') {
      await Promise.all([workers(), apis()]);
      return;
    }
    for (const replace of order === 'workers first' ? [workers, apis] : [apis, workers]) await replace();
  }

  /** Of a worker of the present release. */
  #variables(): Record<string, string> {
    const patches = this.#patchesOf(Math.ceil(this.#now / 2));
    const newest = patches.at(-1);
    if (!newest) return {};
    return {
      WORKFLOW_BUNDLE: this.#bundle(patches),
      ...(this.#now % 2 === 1 && { INACTIVE_PATCHES: newest.id }),
    };
  }

  #patchesOf(count: number): readonly GeneratedPatch[] {
    while (this.#patches.length < count) {
      const id = `release-${this.#patches.length + 1}`;
      this.#patches.push({ id, place: this.parts.random.pick(patchPlaces) });
    }
    return this.#patches.slice(0, count);
  }

  #bundle(patches: readonly GeneratedPatch[]): string {
    const { dataFolder, isUnpatched } = this.parts;
    const folder = join(dataFolder, 'bundles');
    mkdirSync(folder, { recursive: true });
    const file = join(folder, `${patches.length}.js`);
    writeFileSync(file, bundleWith(this.#code, patches, !isUnpatched));
    return file;
  }

  /** `npm run migrate`, of today's release. */
  async #migrate(): Promise<void> {
    const { engineDatabase, signal } = this.parts;
    const args = [join(projectRoot, 'dist/tools/migrate.js')];
    const program = {
      command: process.execPath,
      args,
      env: { DATABASE_URL: engineDatabase },
      isShown: false,
    };
    const { exitCode, output } = await runToEnd(program, signal);
    if (exitCode !== 0) throw new Failure(`The step of the migrations has failed: ${output}`);
  }
}
