import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { patched } from '#proof/simulator/build.js';
import { knownDefects } from '#proof/simulator/known-defects.js';

it('each known defect can still be put back: the lines that it changes are where it looks for them', () => {
  const lost = knownDefects.flatMap(({ name, patches, hiddenBy = [] }) =>
    [...patches, ...hiddenBy].flatMap((patch) =>
      patched(readFileSync(new URL(`../../${patch.file}`, import.meta.url), 'utf8'), patch) === undefined
        ? [`${name}: ${patch.find}`]
        : [],
    ),
  );
  expect(lost).toEqual([]);
});

it('docs/simulation.md lists each known defect by its name', () => {
  const listed = readFileSync(new URL('../../docs/simulation.md', import.meta.url), 'utf8').split('\n');
  const missing = knownDefects.filter(({ name }) => !listed.some((line) => line.startsWith(`- ${name}: `)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});
