import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Supervisor } from '#tools/supervisor.js';
import type { ManagedProcess } from '#tools/managed-process.js';
import { Restarts } from '#tools/restarts.js';

const timeLimit = { timeout: 50_000 };

describe('a child that ends unexpectedly', () => {
  let folder: string;
  let supervisor: Supervisor;
  let restarts: Restarts;
  let lines: string[];
  let givenUp: string[];

  async function open(firstWaitMs: number): Promise<ManagedProcess> {
    folder = mkdtempSync(join(tmpdir(), 'restarts-'));
    lines = [];
    givenUp = [];
    restarts = new Restarts(
      (line) => lines.push(line),
      (sentence) => givenUp.push(sentence),
      { firstWaitMs, most: 2, withinMs: 60_000 },
    );
    supervisor = await Supervisor.open({
      dataFolder: folder,
      onUnexpectedEnd: (sentence, _name, child) => restarts.noteEnd(sentence, child),
    });
    return await supervisor.start({
      name: 'worker',
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 60_000)'],
      isReady: () => Promise.resolve(true),
    });
  }
  beforeEach(() => {
    folder = '';
  });
  afterEach(async () => {
    restarts.stop();
    await supervisor.stopAll();
    rmSync(folder, { recursive: true });
  });

  async function killed(child: ManagedProcess): Promise<void> {
    const reported = lines.length + givenUp.length;
    process.kill(child.pid ?? 0, 'SIGKILL');
    await vi.waitUntil(() => lines.length + givenUp.length > reported, timeLimit);
  }

  it('is restarted, and both are reported', async () => {
    const child = await open(10);
    const before = child.pid;
    await killed(child);
    await vi.waitUntil(() => lines.includes('worker runs again.'), timeLimit);
    expect(child.pid).not.toBe(before);
    expect(lines[0]).toMatch(/^worker was ended by SIGKILL .* It is started again\.$/);
    expect(givenUp).toEqual([]);
  });

  it('is given up with a clear sentence when it ends repeatedly', async () => {
    const child = await open(10);
    for (let round = 1; round <= 2; round++) {
      await killed(child);
      await vi.waitUntil(
        () => lines.filter((line) => line === 'worker runs again.').length === round,
        timeLimit,
      );
    }
    await killed(child);
    expect(givenUp).toEqual([
      expect.stringMatching(/^worker was ended .* 3 times within 60 s: it is not started again\.$/),
    ]);
    expect(child.isRunning).toBe(false);
  });

  it('is not restarted once everything is to stop', async () => {
    const child = await open(60_000);
    await killed(child);
    restarts.stop();
    expect(child.isRunning).toBe(false);
    expect(givenUp).toEqual([]);
  });
});
