// Runs a command of tools/, bench/ or proof/ from any state of the clone: installs, builds, then hands over to Node 24.
// It must itself run on the machine's Node 20, before anything is installed: no dependency, no TypeScript.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, join, relative, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = resolve(fileURLToPath(new URL('..', import.meta.url)));
const node24 = join(root, 'node_modules/.bin/node');
const installedMark = join(root, 'node_modules/.installed-lockfile');
const builtMark = join(root, 'dist/.built');
const lockFile = join(root, '.data/bootstrap.lock');
const sourceFolders = ['apps', 'libs', 'tools', 'bench', 'proof'];
const lockTimeoutMs = 20 * 60_000;

const firstStart = `The first start of this clone does, one after the other:
  1. install the packages: about half a minute
  2. compile: about a quarter of a minute
  3. get Temporal's server where it is needed and missing: a download of seconds, or three minutes of Go, once per user
  4. what you asked for
On two cores; a slow machine takes several times as long. Every ten seconds a line tells how far it is.
`;

const parentAtStart = process.ppid;
let stopSignal;
let runningChild;

await main(process.argv[2], process.argv.slice(3)).catch((error) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = stopSignal ? 128 + constants.signals[stopSignal] : 1;
});

async function main(command, args) {
  forwardSignals();
  refuseUnsupportedMachines();
  await withLock(async () => {
    if (!isInstalled()) {
      process.stderr.write(firstStart);
      await install();
    }
    if (!isBuilt()) await build();
  });
  // The build is all that was asked for.
  if (command === 'build') return;
  await handOver(entryOf(command), args);
}

function refuseUnsupportedMachines() {
  if (Number(process.versions.node.split('.')[0]) < 20) {
    throw new Error(`Node 20 or newer is needed to start; this is Node ${process.versions.node}.`);
  }
  if (process.platform === 'win32') throw new Error('Linux or macOS is needed; on Windows, use WSL.');
}

function entryOf(command) {
  if (!/^[a-z][a-z-]*$/.test(command ?? ''))
    throw new Error('Usage: node tools/bootstrap.mjs <command> [arguments]');
  const files = [`tools/${command}.js`, `${command}/main.js`, `proof/commands/${command}.js`];
  const candidates = files.map((file) => join(root, 'dist', file));
  const entry = candidates.find((candidate) => existsSync(candidate));
  if (!entry) throw new Error(`There is no command "${command}".`);
  return entry;
}

function isInstalled() {
  if (!existsSync(node24)) return false;
  if (existsSync(installedMark)) return readFileSync(installedMark, 'utf8') === lockfileDigest();
  const installed = join(root, 'node_modules/.package-lock.json');
  return (
    existsSync(installed) && statSync(installed).mtimeMs >= statSync(join(root, 'package-lock.json')).mtimeMs
  );
}

// A clone that has packages may have commands that run from them, which `npm ci` would delete under them. `npm install`
// changes only what differs; with a complete lockfile both install the same, and neither changes the lockfile.
async function install() {
  const how = existsSync(join(root, 'node_modules')) ? ['install', '--no-save'] : ['ci'];
  const args = [...how, '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = await runWithProgress('installing packages', 'npm', args);
  if (code !== 0) {
    throw new Error(
      `The packages could not be installed (npm ended with ${code}): is the package registry reachable?`,
    );
  }
  if (!existsSync(node24))
    throw new Error('npm installed no Node 24 (package "node"): are install scripts switched off?');
  writeFileSync(installedMark, lockfileDigest());
}

function lockfileDigest() {
  return createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
}

function isBuilt() {
  return existsSync(builtMark) && readFileSync(builtMark, 'utf8') === sourcesDigest();
}

async function build() {
  const digest = sourcesDigest();
  removeOutputOfDeletedSources();
  // With the same output: who checks all types in another step says so.
  const unchecked = process.env.TYPES_CHECKED_APART ? ['--noCheck'] : [];
  const compiler = ['node_modules/typescript-native/bin/tsc', '-p', 'tsconfig.build.json', ...unchecked];
  if ((await runWithProgress('compiling', node24, compiler)) !== 0) {
    throw new Error('The sources do not compile: see the messages above.');
  }
  if ((await runWithProgress('bundling the workflows', node24, ['dist/tools/bundle-workflows.js'])) !== 0) {
    throw new Error('The workflows could not be bundled: see the messages above.');
  }
  writeFileSync(builtMark, digest);
}

/** Names, sizes and times of everything that the build reads. */
function sourcesDigest() {
  const digest = createHash('sha256');
  const files = sourceFolders.flatMap((folder) => filesUnder(join(root, folder))).toSorted(byName);
  const settings = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'].map((name) =>
    join(root, name),
  );
  for (const file of [...settings, ...files]) {
    const { mtimeMs, size } = statSync(file);
    digest.update(`${relative(root, file)} ${mtimeMs} ${size}\n`);
  }
  return digest.digest('hex');
}

function byName(left, right) {
  return left < right ? -1 : 1;
}

/** tsc never deletes: without this a renamed module would go on working in dist/ only. */
function removeOutputOfDeletedSources() {
  for (const folder of sourceFolders) {
    for (const file of filesUnder(join(root, 'dist', folder))) {
      const source = join(root, relative(join(root, 'dist'), file)).replace(/\.js(\.map)?$/, '.ts');
      if (!existsSync(source) && !existsSync(`${source}x`)) rmSync(file);
    }
  }
}

function filesUnder(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

async function handOver(entry, args) {
  const { code, signal } = await run(node24, ['--enable-source-maps', entry, ...args], {
    cwd: root,
    env: { ...process.env, STARTED_BY_BOOTSTRAP: `${process.pid} ${parentAtStart}` },
    stdio: 'inherit',
  });
  process.exitCode = code ?? 128 + constants.signals[signal];
}

async function runWithProgress(label, command, args) {
  const startedAt = Date.now();
  process.stderr.write(`${label} …\n`);
  const ticker = setInterval(() => {
    process.stderr.write(`${label} … ${Math.round((Date.now() - startedAt) / 1000)} s\n`);
  }, 10_000);
  try {
    const { code, signal } = await run(command, args, {
      cwd: root,
      env: environmentOutsideOfThisPackage(),
      // Not to stdout: its last line belongs to the command.
      stdio: ['ignore', process.stderr, process.stderr],
    });
    if (stopSignal) throw new Error(`Stopped while ${label}.`);
    return code ?? signal;
  } finally {
    clearInterval(ticker);
  }
}

/** npm puts node_modules/.bin first on PATH; an installation must not run on what it is replacing. */
function environmentOutsideOfThisPackage() {
  const own = join(root, 'node_modules/.bin');
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => resolve(folder) !== own);
  return { ...process.env, PATH: path.join(delimiter) };
}

function run(command, args, options) {
  return new Promise((done, fail) => {
    if (stopSignal) throw new Error('Stopped.');
    const child = spawn(command, args, options);
    runningChild = child;
    child.once('error', (error) => fail(new Error(`${command} could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => {
      runningChild = undefined;
      done({ code, signal });
    });
  });
}

function forwardSignals() {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => {
      stopSignal = signal;
      runningChild?.kill(signal);
    });
  }
}

/** Two commands started at once must not install or build over each other. */
async function withLock(work) {
  mkdirSync(join(root, '.data'), { recursive: true });
  const deadline = Date.now() + lockTimeoutMs;
  let isAnnounced = false;
  while (!acquireLock()) {
    if (stopSignal) throw new Error('Stopped.');
    if (Date.now() > deadline) throw new Error(`Another command holds ${lockFile} for too long.`);
    if (!isAnnounced) process.stderr.write('waiting for another command that installs or builds …\n');
    isAnnounced = true;
    await sleep(250);
  }
  try {
    await work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

function acquireLock() {
  try {
    writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isHolderAlive()) rmSync(lockFile, { force: true });
  return false;
}

function isHolderAlive() {
  try {
    process.kill(Number(readFileSync(lockFile, 'utf8')) || -1, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
