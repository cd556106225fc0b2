import { readFileSync } from 'node:fs';

/** Memory that the processes of each part hold now; undefined where the system does not tell (only Linux does here). */
export function residentMiB<Part extends string>(
  parts: Readonly<Record<Part, readonly (number | undefined)[]>>,
): Readonly<Record<Part, number>> | undefined {
  if (process.platform !== 'linux') return undefined;
  const sums = Object.entries<readonly (number | undefined)[]>(parts).map(([name, pids]) => [
    name,
    pids.reduce<number>((sum, pid) => sum + (pid === undefined ? 0 : residentKiB(pid)), 0) / 1_024,
  ]);
  return Object.fromEntries(sums) as Record<Part, number>;
}

/** VmRSS of proc(5). */
function residentKiB(pid: number): number {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(resident ?? 0);
}
