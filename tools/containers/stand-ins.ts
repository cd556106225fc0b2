import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { runToEnd } from '../child-output.js';
import { findClusterPrograms } from '../cluster/programs.js';
import { Failure } from '../failure.js';
import { findPostgres } from '../postgres-installation.js';
import { cacheFolder } from '../program-cache.js';
import { projectRoot } from '../project.js';
import { findTemporal } from '../temporal-binary.js';
import type { ContainerEngine } from './container-engine.js';

const baseImage = 'payment-lifecycle-engine/stand-in-base';
/** What the health checks and scripts of the compose file call in the official images. */
const debianPackages = ['ca-certificates', 'netcat-openbsd', 'postgresql-client', 'libatomic1'];

interface Progress {
  readonly report: (line: string) => void;
  readonly signal: AbortSignal;
}

/** Puts the files of an image, each under the name that its Dockerfile in deploy/stand-ins copies, into a folder. */
type Fill = (folder: string, progress: Progress) => Promise<void>;

const contents: Readonly<Record<string, Fill>> = {
  node: async (folder) => {
    cpSync(process.execPath, join(folder, 'node'), { dereference: true });
    cpSync('/etc/ssl/certs/ca-certificates.crt', join(folder, 'certificates.pem'), { dereference: true });
    const npm = execFileSync('npm', ['root', '--global'], { encoding: 'utf8' }).trim();
    cpSync(join(npm, 'npm'), join(folder, 'npm'), { recursive: true, dereference: true });
  },
  postgres: async (folder) => {
    cpSync(dirname(findPostgres().binaries), join(folder, 'native'), {
      recursive: true,
      verbatimSymlinks: true,
    });
  },
  'temporal-server': async (folder, progress) => {
    cpSync((await findClusterPrograms({ webUi: false, ...progress })).server, join(folder, 'server'));
  },
  'temporal-admin-tools': async (folder, progress) => {
    const { schemaTool } = await findClusterPrograms({ webUi: false, ...progress });
    cpSync(schemaTool, join(folder, 'sql'));
    const temporal = await findTemporal(progress.report, progress.signal);
    if (!temporal.includes('/')) throw new Failure("The stand-in needs the path of Temporal's CLI.");
    cpSync(temporal, join(folder, 'temporal'), { dereference: true });
  },
  'temporal-ui': async (folder, progress) => {
    const { webUi = '' } = await findClusterPrograms({ webUi: true, ...progress });
    cpSync(webUi, join(folder, 'server'));
  },
  prometheus: (folder) => copyInstalled('prometheus', folder),
  jaeger: (folder) => copyInstalled('jaeger', folder),
};

/** `temporalio/server:1.32.2` is made by deploy/stand-ins/temporal-server, `prom/prometheus:v3.5.0` by prometheus. */
export function standInOf(image: string): string {
  const [name = ''] = image
    .replace(/^temporalio\//, 'temporal-')
    .replace(/^.*\//, '')
    .split(':');
  if (!(name in contents)) throw new Failure(`There is no stand-in for ${image} in deploy/stand-ins.`);
  return name;
}

/** The program of the PATH, as `npm start -- --observe` uses it. */
async function copyInstalled(program: string, folder: string): Promise<void> {
  const places = (process.env['PATH'] ?? '').split(delimiter).map((place) => join(place, program));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) throw new Failure(`There is no program \`${program}\` on the PATH.`);
  await cp(found, join(folder, program), { dereference: true });
}

/** Debian and this machine's own programs, under the name of an official image. Linux as root only. */
export async function makeStandIn(
  engine: ContainerEngine,
  image: string,
  report: Progress['report'],
  signal: AbortSignal,
): Promise<void> {
  const name = standInOf(image);
  await provideBase(engine, { report, signal });
  const folder = mkdtempSync(join(tmpdir(), 'stand-in-'));
  try {
    cpSync(join(projectRoot, 'deploy/stand-ins', name), folder, { recursive: true });
    await contents[name]?.(folder, { report, signal });
    await build(engine, '--label', 'stand-in=true', '--tag', image, folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Podman builds without a container's isolation, which it may not have here. */
export async function build(engine: ContainerEngine, ...args: readonly string[]): Promise<void> {
  const how = engine.name === 'podman' ? ['--isolation', 'chroot', '--format', 'docker'] : [];
  await engine.run('build', ...how, ...args);
}

async function provideBase(engine: ContainerEngine, progress: Progress): Promise<void> {
  const isThere = await engine.run('image', 'inspect', baseImage).then(
    () => true,
    () => false,
  );
  if (isThere) return;
  const rootfs = await debianFolder(progress);
  const archive = `${rootfs}.tar`;
  await runProgram('tar', ['-C', rootfs, '-cf', archive, '.'], progress);
  await engine.run('import', archive, baseImage);
  rmSync(archive);
}

/** A Debian in a folder of the user's cache, made once. */
async function debianFolder(progress: Progress): Promise<string> {
  const cache = join(cacheFolder(process.env, homedir()), 'containers');
  const rootfs = join(cache, 'rootfs');
  if (existsSync(rootfs)) return rootfs;
  mkdirSync(cache, { recursive: true });
  const partial = mkdtempSync(join(cache, 'making-'));
  try {
    progress.report('making a Debian by debootstrap, once: a few minutes …');
    const packages = `--include=${debianPackages.join(',')}`;
    await runProgram(
      'debootstrap',
      ['--variant=minbase', packages, 'bookworm', join(partial, 'rootfs')],
      progress,
    );
    renameSync(join(partial, 'rootfs'), rootfs);
    return rootfs;
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

async function runProgram(command: string, args: readonly string[], { signal }: Progress): Promise<void> {
  const { exitCode, output } = await runToEnd({ command, args, isShown: false }, signal);
  if (exitCode !== 0)
    throw new Failure(`${command} ended with ${exitCode}: ${output.trim().split('\n').at(-1) ?? ''}`);
}
