import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childrenOf } from '#tools/process-table.js';

/** Processes of the parts of a system, by the name of the part. */
export type Parts = Readonly<Record<string, readonly (number | undefined)[]>>;

/**
 * Processor time in milliseconds that each part has used so far, with the direct children of its processes, those that
 * have ended since included; undefined where the system does not tell (only Linux does here).
 */
export function processorMs(parts: Parts): Readonly<Record<string, number>> | undefined {
  if (process.platform !== 'linux') return undefined;
  const processes = processesOf(parts, (pid) => childrenOf(pid).map((child) => child.pid));
  return Object.fromEntries(
    Object.entries(processes).map(([name, pids]) => [name, pids.reduce((sum, pid) => sum + usedBy(pid), 0)]),
  );
}

/**
 * What each part consists of. A process that was started by one part and is another one, as all are that the driver has
 * started, counts once: as itself.
 */
export function processesOf(
  parts: Parts,
  childrenOfProcess: (pid: number) => readonly number[],
): Readonly<Record<string, readonly number[]>> {
  const known = Object.entries(parts).map(
    ([name, pids]) => [name, pids.filter((pid) => pid !== undefined)] as const,
  );
  const counted = new Set(known.flatMap(([, pids]) => pids));
  return Object.fromEntries(
    known.map(([name, pids]) => {
      const children = pids.flatMap(childrenOfProcess).filter((pid) => !counted.has(pid));
      return [name, [...pids, ...children]];
    }),
  );
}

const msPerTick = process.platform === 'linux' ? 1_000 / ticksPerSecond() : 0;

/** utime, stime, cutime and cstime of proc(5), which follow the name in parentheses. */
function usedBy(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) * msPerTick;
  } catch {
    // It has ended in between; its parent's figures hold it from now on.
    return 0;
  }
}

function ticksPerSecond(): number {
  return Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
}
