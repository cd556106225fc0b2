import { readFileSync } from 'node:fs';
import type { Stack } from '#tools/stack.js';

/** Parts of the engine whose memory is measured. */
export const residents = ['api', 'worker'] as const;
export type ResidentMiB = Readonly<Record<(typeof residents)[number], number>>;

/** What API and worker hold in memory now; undefined where the system does not tell (only Linux does here). */
export function residentMiB({ apis, workers }: Pick<Stack, 'apis' | 'workers'>): ResidentMiB | undefined {
  if (process.platform !== 'linux') return undefined;
  return { api: mebibytesOf(apis), worker: mebibytesOf(workers) };
}

function mebibytesOf(processes: Stack['workers']): number {
  return processes.reduce((sum, { pid }) => sum + (pid === undefined ? 0 : residentKiB(pid)), 0) / 1_024;
}

/** VmRSS of proc(5). */
function residentKiB(pid: number): number {
  const resident = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(resident ?? 0);
}
