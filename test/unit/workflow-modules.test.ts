import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '#tools/project.js';

/** A declaration of a module whose value can change. The SDK freezes objects and arrays, but no contents of a Map or Set. */
const changeable =
  /^(?:export )?(?:(?:let|var)\b.*|const (?!\w+: Readonly(?:Set|Map)<)[^=]*= new (?:Weak)?(?:Map|Set)\b.*)/gm;

// All runs of a worker share these modules (docs/decisions/0026).
it('no module of the workflows holds a state that one run could leave to another', () => {
  const files = globSync('libs/workflows/src/**/*.ts', { cwd: projectRoot });
  expect(files.length).toBeGreaterThan(100);
  const found = files.flatMap((file) =>
    [...readFileSync(join(projectRoot, file), 'utf8').matchAll(changeable)].map(
      ([line]) => `${file}: ${line}`,
    ),
  );
  expect(found).toEqual([]);
});

it.each([
  'let runs = 0;',
  'export let last: string;',
  'const seen = new Set<string>();',
  'const a: Map<string, string> = new Map();',
])('finds `%s`', (line) => {
  expect(`import a;\n${line}\n`.match(changeable)).toEqual([line]);
});
