import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { sized } from '../helpers/sized.js';
import { projectRoot } from '#tools/project.js';
import { quickMutants } from '#proof/mutants/catalogue/catalogue.js';
import { runMutants } from '#proof/mutants/run-mutants.js';

// Within the clone, where the copy finds its packages.
const folder = mkdtempSync(join(projectRoot, '.data/quick-mutants-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const stride = sized(24, 1);
/** A sample of those that `npm run mutants` tries; the others need a database, or Temporal. */
const sample = quickMutants().filter((_mutant, n) => n % stride === 0);

it(
  `${sample.length} of the mutants are each killed by a test`,
  { timeout: 3_600_000 },
  async ({ signal }) => {
    const trials = await runMutants(sample, {
      folder: join(folder, 'tree'),
      signal,
      report: () => undefined,
    });
    const survivors = trials.filter(({ verdict }) => verdict.outcome !== 'killed');
    expect(survivors.map(({ mutant, verdict }) => `${mutant.name}: ${verdict.outcome}`)).toEqual([]);
    expect(trials).toHaveLength(sample.length);
  },
);
