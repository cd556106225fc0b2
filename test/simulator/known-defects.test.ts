import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { knownDefects } from '#proof/simulator/known-defects.js';

it('each known defect can still be put back: the lines that it changes are where it looks for them', () => {
  const lost = knownDefects.flatMap(({ name, patches, hiddenBy = [] }) =>
    [...patches, ...hiddenBy].flatMap(({ file, find }) =>
      readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8').includes(find)
        ? []
        : [`${name}: ${find}`],
    ),
  );
  expect(lost).toEqual([]);
});
