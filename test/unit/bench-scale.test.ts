import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { hold } from '#bench/scale/hold.js';
import { summarizeScale } from '#bench/scale/scale-summary.js';

const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

describe('the bench of several workers and APIs', () => {
  it.runIf(process.platform === 'linux')(
    'stops processes for a part of the time, and lets all of them run on in the end',
    async () => {
      const pids = [busy(), busy()];
      const letGo = hold(pids, 0.2);
      for (const pid of pids) {
        await expect.poll(() => isStopped(pid), { interval: 1, timeout: 10_000 }).toBe(true);
        await expect.poll(() => isStopped(pid), { interval: 1, timeout: 10_000 }).toBe(false);
      }
      letGo();
      for (const pid of pids) await expect.poll(() => isStopped(pid), { timeout: 10_000 }).toBe(false);
    },
  );

  it('compares each size with one worker and one API of the same round and load', () => {
    const figures = [
      { workers: 1, apis: 1, perRound: [turn(10), turn(5)] },
      { workers: 2, apis: 1, perRound: [turn(12), turn(8)] },
      { workers: 1, apis: 1, held: 'worker', perRound: [turn(2), turn(1)] },
      { workers: 2, apis: 1, held: 'worker', perRound: [turn(4), turn(2)] },
    ] as never;
    expect(summarizeScale(figures)).toMatchObject({
      scale: {
        '2 × 1': { ofOneAndOne: { value: 1.4, spread: [1.2, 1.6] }, coresUsed: { value: 1 } },
        '2 × 1, worker held': { perSecond: { value: 3 }, ofOneAndOne: { value: 2, spread: [2, 2] } },
      },
    });
  });
});

/** Each run takes 100 ms of processor time. */
function turn(perSecond: number) {
  return { perSecond, failures: [], processorMs: { worker: 50, api: 50 } };
}

function busy(): number {
  const child = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' });
  children.push(child);
  if (child.pid === undefined) throw new Error('no process was started');
  return child.pid;
}

/** Its state in proc(5), which follows the name in parentheses. */
function isStopped(pid: number): boolean {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T');
}
