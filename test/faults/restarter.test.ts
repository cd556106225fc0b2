import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Supervisor } from '#tools/supervisor.js';
import { Restarter } from '#proof/faults/campaign/restarter.js';
import type { ManagedProcess } from '#tools/managed-process.js';

describe('the restarter of the processes that a campaign kills', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'restarter-'));
  let restarter: Restarter;
  let supervisor: Supervisor;
  beforeEach(async () => {
    restarter = new Restarter(() => {});
    supervisor = await Supervisor.open({
      dataFolder,
      onUnexpectedEnd: (sentence, name) => restarter.noteEnd(sentence, name),
    });
  });
  afterEach(async () => {
    await supervisor.stopAll();
    rmSync(dataFolder, { recursive: true });
  });

  async function start(name: string): Promise<ManagedProcess> {
    const started = await supervisor.start({
      name,
      command: process.execPath,
      args: ['-e', 'setInterval(() => {}, 60_000)'],
      isReady: () => Promise.resolve(true),
    });
    restarter.keep([started]);
    return started;
  }

  /** Ends by itself, as far as anybody knows who supervises it. */
  async function giveUp({ pid }: ManagedProcess): Promise<void> {
    process.kill(pid ?? 0, 'SIGTERM');
    await expect.poll(() => restarter.restarts + restarter.accidents.length).toBeGreaterThan(0);
    await restarter.untilSettled();
  }

  it('restarts a worker that gave up while Temporal was down, and does not call it an accident', async () => {
    const worker = await start('worker-2');
    restarter.expectsLossOf('temporal');
    await giveUp(worker);
    expect(worker.isRunning).toBe(true);
    expect(restarter).toMatchObject({ accidents: [], restarts: 1 });
  });

  it('excuses it also shortly after Temporal has come back', async () => {
    const [worker, temporal] = [await start('worker'), await start('temporal')];
    restarter.expectsLossOf('temporal');
    await temporal.kill();
    await restarter.revive(temporal, 'temporal');
    await giveUp(worker);
    expect(restarter).toMatchObject({ accidents: [], restarts: 1 });
  });

  it('calls the end of a worker an accident when none of its dependencies was killed', async () => {
    const worker = await start('worker');
    restarter.expectsLossOf('engine-postgres');
    await giveUp(worker);
    expect(restarter.accidents).toEqual([expect.stringContaining('worker was ended by SIGTERM')]);
    expect(worker.isRunning).toBe(true);
  });

  it('leaves one process, even if several restart it', async () => {
    const worker = await start('worker');
    await worker.kill();
    await Promise.all([restarter.revive(worker, 'worker'), restarter.revive(worker, 'worker')]);
    expect(worker.isRunning).toBe(true);
  });
});
