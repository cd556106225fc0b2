import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** A process beyond doubt: process ids are used again, a pid together with its start is not. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Opaque; equal for the same process only, also across reboots. */
  readonly startedAt: string;
}

interface ProcessRow extends ProcessIdentity {
  readonly parent: number;
}

/** The process that has this id now, or undefined when there is none (a zombie has ended). */
export function identify(pid: number): ProcessIdentity | undefined {
  const row = readRow(pid);
  return row && { pid: row.pid, startedAt: row.startedAt };
}

export function isAlive(identity: ProcessIdentity): boolean {
  return identify(identity.pid)?.startedAt === identity.startedAt;
}

/** Sends a signal to this very process; nothing happens when it has ended. */
export function killProcess(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  if (isAlive(identity)) attempt(() => process.kill(identity.pid, signal));
}

export function parentOf(pid: number): number | undefined {
  return readRow(pid)?.parent;
}

export function childrenOf(pid: number): ProcessIdentity[] {
  return allPids()
    .map((candidate) => readRow(candidate))
    .filter((row) => row !== undefined)
    .filter((row) => row.parent === pid)
    .map((row) => ({ pid: row.pid, startedAt: row.startedAt }));
}

/** The command line, words joined by spaces; empty when it cannot be read. */
export function commandLineOf(pid: number): string {
  if (!hasProcFolder) return ps(pid, 'command') ?? '';
  return attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim()) ?? '';
}

/** Processes whose working folder is `folder`. Empty where the system does not show it (macOS). */
export function processesWorkingIn(folder: string): ProcessIdentity[] {
  if (!hasProcFolder) return [];
  return allPids()
    .filter((pid) => attempt(() => readlinkSync(`/proc/${pid}/cwd`)) === folder)
    .map((pid) => identify(pid))
    .filter((identity) => identity !== undefined);
}

const hasProcFolder = process.platform === 'linux';

function readRow(pid: number): ProcessRow | undefined {
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  return hasProcFolder ? readProcRow(pid) : readPsRow(pid);
}

function readProcRow(pid: number): ProcessRow | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'));
  if (stat === undefined) return undefined;
  // The command's name stands in parentheses and may hold spaces and parentheses: count from the last one.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, startTicks] = [fields[0], fields[1], fields[19]];
  if (state === 'X' || startTicks === undefined || (state === 'Z' && hasEnded(pid))) return undefined;
  return { pid, parent: Number(parent), startedAt: `${bootId()}/${startTicks}` };
}

/** The first thread of a killed process may have ended before others, which hold its ports and files. */
function hasEnded(zombie: number): boolean {
  return (attempt(() => readdirSync(`/proc/${zombie}/task`)) ?? []).length <= 1;
}

function readPsRow(pid: number): ProcessRow | undefined {
  const state = ps(pid, 'state');
  const startedAt = ps(pid, 'lstart');
  if (state === undefined || state.startsWith('Z') || startedAt === undefined) return undefined;
  return { pid, parent: Number(ps(pid, 'ppid')), startedAt };
}

function ps(pid: number, column: string): string | undefined {
  return attempt(() =>
    execFileSync('ps', ['-o', `${column}=`, '-p', String(pid)], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim(),
  );
}

function allPids(): number[] {
  if (hasProcFolder) {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  }
  const listing = attempt(() => execFileSync('ps', ['-A', '-o', 'pid='], { encoding: 'utf8' })) ?? '';
  return listing.split('\n').map(Number).filter(Boolean);
}

function bootId(): string {
  return attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()) ?? '';
}

/** Processes end between any two looks at them: then there is nothing to read. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
