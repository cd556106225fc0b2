import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { packages } from '#tools/packages.js';
import { projectRoot } from '#tools/project.js';

interface Manifest {
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const root = manifestIn('.');

describe.each(packages)('the package of $folder', ({ folder }) => {
  const { version, license, dependencies } = manifestIn(folder);
  const imported = importsOf(sourcesOf(folder));

  it('has the version and the licence of the whole', () => {
    expect({ version, license }).toEqual({ version: root.version, license: root.license });
  });

  it('depends on what its sources import, and on nothing else', () => {
    expect(Object.keys(dependencies).toSorted()).toEqual(imported);
  });

  it('depends on the same versions that the engine is tested with', () => {
    expect({ ...root.devDependencies, ...root.dependencies }).toMatchObject(dependencies);
  });
});

function manifestIn(folder: string): Manifest {
  return JSON.parse(readFileSync(join(projectRoot, folder, 'package.json'), 'utf8')) as Manifest;
}

/** What its tsconfig names, and what that leads to. */
function sourcesOf(folder: string): string[] {
  const file = join(projectRoot, folder, 'tsconfig.package.json');
  const { config } = ts.readConfigFile(file, (path) => ts.sys.readFile(path)) as { config: unknown };
  const waiting = ts.parseJsonConfigFileContent(config, ts.sys, dirname(file)).fileNames;
  const sources = new Set<string>();
  for (let source = waiting.pop(); source !== undefined; source = waiting.pop()) {
    if (sources.has(source)) continue;
    sources.add(source);
    const near = namesIn(source).filter((name) => name.startsWith('.'));
    const paths = near.map((name) => resolve(dirname(source), name.replace(/\.js$/, '.ts')));
    // What is generated is types: the compiler refuses to pack without it.
    waiting.push(...paths.filter((path) => existsSync(path)));
  }
  return [...sources];
}

/** Names of packages; a name of package.json's `imports` would stand among them. */
function importsOf(sources: readonly string[]): string[] {
  const names = sources.flatMap(namesIn).filter((name) => !/^(\.|node:)/.test(name));
  return [...new Set(names.map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name))].toSorted();
}

function namesIn(source: string): string[] {
  const text = readFileSync(source, 'utf8');
  const required = [...text.matchAll(/require\.resolve\('([^']+)'\)/g)].map(([, name = '']) => name);
  return [...ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName), ...required];
}
