import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, inject } from 'vitest';

/** The file of a release whose workflow code fails wherever a run takes an event. */
export function brokenBundle(folder: string): string {
  const code = readFileSync(inject('workflowBundle'), 'utf8');
  const broken = code.replaceAll(
    'const expected = taken(',
    "throw new Error('broken');const expected = taken(",
  );
  expect(broken).not.toBe(code);
  const file = join(folder, 'bundle.js');
  writeFileSync(file, broken);
  return file;
}
