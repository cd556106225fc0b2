// Makes package-lock.json match package.json, with the packages of every platform. `npm install` on a machine that has a
// node_modules records the optional packages of that machine only, and `npm ci` refuses such a lockfile everywhere.
// Runs on the machine's Node, before anything is installed.
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const elsewhere = mkdtempSync(join(tmpdir(), 'lockfile-'));
const lockfile = join(elsewhere, 'package-lock.json');
try {
  for (const name of ['package.json', 'package-lock.json'])
    copyFileSync(join(root, name), join(elsewhere, name));
  writeFileSync(
    lockfile,
    JSON.stringify(withoutIncomplete(JSON.parse(readFileSync(lockfile, 'utf8'))), null, 2),
  );
  // Without addresses of a registry: a lockfile is for everybody's.
  const options = [
    '--package-lock-only',
    '--ignore-scripts',
    '--omit-lockfile-registry-resolved',
    '--loglevel=error',
  ];
  execFileSync('npm', ['install', '--no-audit', '--no-fund', ...options], {
    cwd: elsewhere,
    stdio: 'inherit',
  });
  copyFileSync(lockfile, join(root, 'package-lock.json'));
} finally {
  rmSync(elsewhere, { recursive: true });
}

/** npm completes what is missing as a whole, but not a package of which some optional dependencies are missing. */
function withoutIncomplete(lock) {
  const locked = new Set(Object.keys(lock.packages).map((path) => path.split('node_modules/').at(-1)));
  for (const [path, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
    if (path === '' || Object.keys(optionalDependencies).every((name) => locked.has(name))) continue;
    for (const name of Object.keys(optionalDependencies)) delete lock.packages[`node_modules/${name}`];
    delete lock.packages[path];
  }
  return lock;
}
