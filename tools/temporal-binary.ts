import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { Failure } from './failure.js';

/** The last tag that `go install` accepts: later ones carry a replace directive. */
const version = 'v1.5.1';
const reachableWithinMs = 5_000;
const downloadedWithinMs = 120_000;

/** sha256 of the official archives of this version. */
const archiveDigests: Readonly<Record<string, string>> = {
  linux_amd64: 'ddc95e08b0b076efd4ea9733a3f488eb7d2be875f8834e616cd2a37358b4852d',
  linux_arm64: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  darwin_amd64: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  darwin_arm64: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
};

/**
 * Path of a `temporal` program that runs: the one on PATH, the one got earlier, the official download, or one built
 * by Go from its module proxy (about three minutes, once per user and machine).
 * @throws Failure saying how to get one.
 */
export async function findTemporal(report: (line: string) => void, signal?: AbortSignal): Promise<string> {
  if (runs('temporal')) return 'temporal';
  const folder = cacheFolder(process.env, homedir());
  const cached = join(folder, 'temporal');
  if (runs(cached)) return cached;
  mkdirSync(folder, { recursive: true });
  const workFolder = mkdtempSync(join(folder, 'getting-'));
  try {
    const got = (await download(workFolder, report)) ?? (await buildWithGo(workFolder, report, signal));
    if (!got) throw new Failure(noTemporalMessage);
    // Renamed into place whole: another process may look for it, or be getting it, at the same time.
    renameSync(got, cached);
    return cached;
  } finally {
    rmSync(workFolder, { recursive: true, force: true });
  }
}

export const noTemporalMessage =
  `No Temporal server was found: set TEMPORAL_ADDRESS=<host:port> to use a running one, or put the "temporal" program ` +
  `on PATH (https://docs.temporal.io/cli), or install Go so that it can be built (go install github.com/temporalio/cli/cmd/temporal@${version}).`;

export function cacheFolder(env: NodeJS.ProcessEnv, home: string): string {
  return join(
    env['XDG_CACHE_HOME'] || join(home, '.cache'),
    'payment-lifecycle-engine',
    `temporal-${version}`,
  );
}

function runs(program: string): boolean {
  return spawnSync(program, ['--version'], { stdio: 'ignore', timeout: 20_000 }).status === 0;
}

async function download(folder: string, report: (line: string) => void): Promise<string | undefined> {
  const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const digest = archiveDigests[platform];
  if (!digest) return undefined;
  const url = `https://github.com/temporalio/cli/releases/download/${version}/temporal_cli_${version.slice(1)}_${platform}.tar.gz`;
  try {
    const archive = await fetchWithin(url, report);
    if (createHash('sha256').update(archive).digest('hex') !== digest)
      throw new Error('its checksum is wrong');
    return unpack(archive, folder);
  } catch (error) {
    report(`the official download of Temporal is not available (${reasonOf(error)})`);
    return undefined;
  }
}

/** Two limits: soon to learn that there is no way out of this machine, patient once bytes flow. */
async function fetchWithin(url: string, report: (line: string) => void): Promise<Buffer> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(new Error('no answer')), reachableWithinMs);
  try {
    const response = await fetch(url, {
      signal: AbortSignal.any([abort.signal, AbortSignal.timeout(downloadedWithinMs)]),
    });
    clearTimeout(timer);
    if (!response.ok) throw new Error(`answer ${response.status}`);
    report('downloading the Temporal server …');
    return Buffer.from(await response.arrayBuffer());
  } finally {
    clearTimeout(timer);
  }
}

function unpack(archive: Buffer, folder: string): string | undefined {
  const file = join(folder, 'temporal.tar.gz');
  writeFileSync(file, archive);
  spawnSync('tar', ['-xzf', file, '-C', folder, 'temporal']);
  const program = join(folder, 'temporal');
  if (!runs(program)) throw new Error('it does not run here');
  return program;
}

async function buildWithGo(
  folder: string,
  report: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  if (spawnSync('go', ['version'], { stdio: 'ignore' }).status !== 0) return undefined;
  report('building the Temporal server with Go, once: about three minutes …');
  const target = `github.com/temporalio/cli/cmd/temporal@${version}`;
  const child = spawn('go', ['install', '-v', target], {
    cwd: folder,
    env: { ...process.env, GOBIN: folder, GOFLAGS: '-mod=mod' },
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(signal && { signal }),
  });
  child.on('error', () => {});
  const lastLine = await reportBuild(child.stderr, report);
  const program = join(folder, 'temporal');
  if (signal?.aborted) throw new Failure('Stopped while Temporal was being built.');
  if (runs(program)) return program;
  throw new Failure(`Go could not build the Temporal server (${lastLine}). ${noTemporalMessage}`);
}

/** `go install -v` names each package as it is built: a sign of life every ten seconds, without 1,500 lines. */
async function reportBuild(output: NodeJS.ReadableStream, report: (line: string) => void): Promise<string> {
  let packages = 0;
  let lastLine = '';
  const startedAt = Date.now();
  const ticker = setInterval(() => {
    report(`  ${packages} packages after ${Math.round((Date.now() - startedAt) / 1000)} s`);
  }, 10_000);
  try {
    for await (const line of createInterface({ input: output })) {
      packages += 1;
      lastLine = line;
    }
  } finally {
    clearInterval(ticker);
  }
  return lastLine;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return code ?? error.message;
}
