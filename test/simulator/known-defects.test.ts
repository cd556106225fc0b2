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
