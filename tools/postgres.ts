import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client, escapeIdentifier } from 'pg';
import type { Supervisor } from './supervisor.js';
import { Failure } from './failure.js';
import type { ManagedProcess } from './managed-process.js';
import { freePort } from './ports.js';
import { findPostgres, reachableDataFolder, type PostgresInstallation } from './postgres-installation.js';
import { clearLeftOverPostmaster } from './postmaster-file.js';
import { childrenOf, killProcess, isAlive } from './process-table.js';

export interface PostgresOptions {
  readonly supervisor: Supervisor;
  /** Names the process, its log and its folder: `<data folder>/<name>`. */
  readonly name: string;
  /** Default: a free one, kept over restarts of this object. */
  readonly port?: number;
  /** Server settings beyond the defaults, such as `{ shared_buffers: '256MB' }`. */
  readonly settings?: Readonly<Record<string, string>>;
}

export interface Postgres {
  readonly process: ManagedProcess;
  readonly port: number;
  /** Connection URL of a superuser for a database of this cluster. */
  url(database: string): string;
  /** Creates the database where it is missing. @returns its URL. */
  ensureDatabase(database: string): Promise<string>;
  /** kill -9 of the server with all its backends, as in a power cut; ends when none is left. */
  crash(): Promise<void>;
}

const superuser = 'postgres';
/** Promises are judged by what survives a crash: these are never turned off, in tests neither. */
const durability = { fsync: 'on', synchronous_commit: 'on', full_page_writes: 'on' };

/** Starts a PostgreSQL cluster on the loopback address, made first where it is missing. */
export async function startPostgres(options: PostgresOptions): Promise<Postgres> {
  const installation = findPostgres();
  const folder = clusterFolder(options, installation);
  const data = join(folder, 'data');
  if (!existsSync(data)) initialise(installation, folder, data);
  const port = options.port ?? (await freePort());
  const url = urlBuilder(port, readFileSync(join(folder, 'password'), 'utf8'));
  const process = await options.supervisor.start({
    name: options.name,
    command: join(installation.binaries, 'postgres'),
    args: ['-D', data, ...serverArguments({ ...durability, ...listening(port), ...options.settings })],
    ...(installation.user && { user: installation.user }),
    // Fast shutdown. SIGTERM would wait for every client to hang up first.
    stopSignal: 'SIGINT',
    // Also after a crash of the server alone: its backends outlive it for a moment.
    beforeStart: () => clearLeftOverPostmaster(data),
    isReady: () => answers(url('postgres')),
  });
  return {
    process,
    port,
    url,
    ensureDatabase: (database) => ensureDatabase(url, database),
    crash: () => crash(process),
  };
}

function clusterFolder({ supervisor, name }: PostgresOptions, { user }: PostgresInstallation): string {
  return reachableDataFolder(join(supervisor.dataFolder, name), user);
}

/** Made beside and renamed: an interrupted initdb leaves no half cluster behind. */
function initialise({ binaries, user }: PostgresInstallation, folder: string, data: string): void {
  const partial = `${data}.partial`;
  const passwordFile = join(folder, 'password');
  rmSync(partial, { recursive: true, force: true });
  mkdirSync(partial, { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, randomBytes(18).toString('base64url'), { mode: 0o600 });
  if (user) for (const path of [partial, passwordFile]) chownSync(path, user.uid, user.gid);
  const locale = ['--encoding=UTF8', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--locale=C'];
  const login = [`--username=${superuser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
  const result = spawnSync(join(binaries, 'initdb'), ['-D', partial, ...locale, ...login], {
    ...user,
    cwd: '/',
    encoding: 'utf8',
  });
  if (result.status !== 0)
    throw new Failure(`The PostgreSQL cluster in ${folder} could not be made: ${reasonOf(result)}`);
  renameSync(partial, data);
}

function reasonOf(result: { error?: Error; stderr: string | null }): string {
  return (result.error?.message ?? result.stderr ?? '').trim().split('\n').slice(-3).join(' ');
}

function listening(port: number): Record<string, string> {
  return {
    listen_addresses: '127.0.0.1',
    port: String(port),
    unix_socket_directories: '',
    max_connections: '300',
    timezone: 'UTC',
    log_timezone: 'UTC',
  };
}

function serverArguments(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

function urlBuilder(port: number, password: string): (database: string) => string {
  return (database) => `postgres://${superuser}:${password}@127.0.0.1:${port}/${database}`;
}

async function answers(url: string): Promise<boolean> {
  await withClient(url, (client) => client.query('SELECT 1'));
  return true;
}

async function ensureDatabase(url: (database: string) => string, database: string): Promise<string> {
  await withClient(url('postgres'), async (client) => {
    const existing = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [database]);
    if (existing.rowCount === 0) await client.query(`CREATE DATABASE ${escapeIdentifier(database)}`);
  });
  return url(database);
}

/** Runs statements on a connection of their own. */
export async function withClient<T>(
  connectionString: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 30_000 });
  // A server that goes away ends the query with an error too; the event alone would end this process.
  client.on('error', () => {});
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Backends lead sessions of their own and outlive their postmaster for a moment; a new one must not meet them. */
async function crash(process: ManagedProcess): Promise<void> {
  const backends = process.pid === undefined ? [] : childrenOf(process.pid);
  await process.kill();
  for (const backend of backends) killProcess(backend, 'SIGKILL');
  while (backends.some(isAlive)) await sleep(20);
}
