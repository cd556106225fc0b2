import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Failure } from './failure.js';
import { endProcess } from './process-records.js';
import { commandLineOf, identify, processesWorkingIn } from './process-table.js';

const backendTimeoutMs = 30_000;

/**
 * postmaster.pid of an earlier run: its server is ended when it is this folder's, and the file is removed when its
 * process id now belongs to another process, because PostgreSQL would refuse to start beside that one.
 * @throws Failure when backends of a dead server still work in the folder.
 */
export async function clearLeftOverPostmaster(dataFolder: string): Promise<void> {
  const file = join(dataFolder, 'postmaster.pid');
  const pid = readPid(file);
  if (pid === undefined) return;
  const found = classifyPostmaster(commandLineOf(pid), dataFolder);
  const identity = identify(pid);
  if (found === 'orphan' && identity) return endProcess(identity, 'SIGINT');
  await untilNobodyWorksIn(dataFolder);
  rmSync(file, { force: true });
}

/** Backends notice the death of their postmaster within moments; one that does not could write beside a new server. */
async function untilNobodyWorksIn(dataFolder: string): Promise<void> {
  const deadline = Date.now() + backendTimeoutMs;
  let backends = processesWorkingIn(dataFolder);
  while (backends.length > 0) {
    if (Date.now() > deadline) {
      const pids = backends.map(({ pid }) => pid).join(', ');
      throw new Failure(
        `PostgreSQL backends of an earlier run still use ${dataFolder}: end processes ${pids} first.`,
      );
    }
    await sleep(50);
    backends = processesWorkingIn(dataFolder);
  }
}

/** `commandLine` is that of the process which has the recorded id now; empty when there is none. */
export function classifyPostmaster(
  commandLine: string,
  dataFolder: string,
): 'gone' | 'otherProcess' | 'orphan' {
  if (commandLine === '') return 'gone';
  return /postgres\b/.test(commandLine) && commandLine.includes(`-D ${dataFolder} `)
    ? 'orphan'
    : 'otherProcess';
}

function readPid(file: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(file, 'utf8'), 10) || undefined;
  } catch {
    return undefined;
  }
}
