import { mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { linkLibraries } from '#tools/postgres-libraries.js';

const folder = mkdtempSync(join(tmpdir(), 'postgres-libraries-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it('PostgreSQL finds its libraries even when npm has run no script of its package', () => {
  const native = join(folder, 'native');
  mkdirSync(join(native, 'lib'), { recursive: true });
  const link = { source: 'native/lib/libpq.so.5.18', target: 'native/lib/libpq.so.5' };
  writeFileSync(join(folder, link.source), '');
  writeFileSync(join(native, 'pg-symlinks.json'), JSON.stringify([link]));

  linkLibraries(native);
  linkLibraries(native);
  expect(readlinkSync(join(folder, link.target))).toBe('libpq.so.5.18');
});
