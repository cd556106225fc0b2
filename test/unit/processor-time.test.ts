import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { processesOf, processorMs } from '#bench/harness/processor-time.js';

const folder = mkdtempSync(join(tmpdir(), 'processor-time-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

describe('the processor time of the parts of a system', () => {
  it('counts a process once, as the part that it is, whatever process has started it', () => {
    const started: Record<number, number[]> = { 1: [2, 3, 4], 2: [20, 21], 3: [] };
    const parts = { driver: [1], database: [2], worker: [3, undefined] };
    expect(processesOf(parts, (pid) => started[pid] ?? [])).toEqual({
      driver: [1, 4],
      database: [2, 20, 21],
      worker: [3],
    });
  });

  it.runIf(process.platform === 'linux')(
    'counts a child’s use for the child, and not for its parent',
    async () => {
      const usedMs = 300;
      const child = await busyFor(usedMs);
      const before = processorMs({ all: [process.pid] })?.['all'] ?? Number.NaN;
      const { driver = Number.NaN, worker } =
        processorMs({ driver: [process.pid], worker: [child.pid] }) ?? {};
      expect(worker).toBeGreaterThanOrEqual(usedMs);
      expect(before - driver).toBeGreaterThan(usedMs / 2);
    },
  );
});

/** A child that has used so much, and does nothing any more. */
async function busyFor(usedMs: number): Promise<ChildProcess> {
  const script = join(folder, 'busy.mjs');
  writeFileSync(
    script,
    `const used = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1_000; };
    while (used() < ${2 * usedMs});
    process.send('done');
    process.on('message', () => undefined);`,
  );
  const child = fork(script, { execArgv: [] });
  children.push(child);
  await once(child, 'message');
  return child;
}
