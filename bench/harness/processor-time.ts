import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { childrenOf } from '#tools/process-table.js';

/**
 * Processor time in milliseconds that the processes and their direct children have used so far, those that have ended
 * since included; undefined where the system does not tell (only Linux does here).
 */
export function processorMs(pids: readonly (number | undefined)[]): number | undefined {
  if (process.platform !== 'linux') return undefined;
  const known = pids.filter((pid) => pid !== undefined);
  const all = [...known, ...known.flatMap((pid) => childrenOf(pid).map((child) => child.pid))];
  return all.reduce((sum, pid) => sum + usedBy(pid), 0);
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
