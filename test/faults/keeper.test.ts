import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Supervisor } from '#tools/child-processes.js';
import { Keeper } from '#proof/faults/keeper.js';
import type { ManagedProcess } from '#tools/managed-process.js';

describe('the keeper of the processes that a campaign kills', () => {
  const dataFolder = mkdtempSync(join(tmpdir(), 'keeper-'));
  let keeper: Keeper;
  let supervisor: Supervisor;
  beforeEach(async () => {
    keeper = new Keeper(() => {});
    supervisor = await Supervisor.open({
      dataFolder,
      onUnexpectedEnd: (sentence, name) => keeper.noteEnd(sentence, name),
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
    keeper.keep([started]);
    return started;
  }

  /** Ends by itself, as far as anybody knows who supervises it. */
  async function giveUp({ pid }: ManagedProcess): Promise<void> {
    process.kill(pid ?? 0, 'SIGTERM');
    await expect.poll(() => keeper.restarts + keeper.accidents.length).toBeGreaterThan(0);
    await keeper.untilSettled();
  }

  it('starts a worker again that gave up while Temporal was away, and calls it no accident', async () => {
    const worker = await start('worker-2');
    keeper.expectsLossOf('temporal');
    await giveUp(worker);
    expect(worker.isRunning).toBe(true);
    expect(keeper).toMatchObject({ accidents: [], restarts: 1 });
  });

  it('excuses it shortly after Temporal has come back as well', async () => {
    const [worker, temporal] = [await start('worker'), await start('temporal')];
    keeper.expectsLossOf('temporal');
    await temporal.kill();
    await keeper.revive(temporal, 'temporal');
    await giveUp(worker);
    expect(keeper).toMatchObject({ accidents: [], restarts: 1 });
  });

  it('calls the end of a worker an accident when nothing was killed that it stands on', async () => {
    const worker = await start('worker');
    keeper.expectsLossOf('engine-postgres');
    await giveUp(worker);
    expect(keeper.accidents).toEqual([expect.stringContaining('worker was ended by SIGTERM')]);
    expect(worker.isRunning).toBe(true);
  });

  it('leaves one process, whoever starts it again', async () => {
    const worker = await start('worker');
    await worker.kill();
    await Promise.all([keeper.revive(worker, 'worker'), keeper.revive(worker, 'worker')]);
    expect(worker.isRunning).toBe(true);
  });
});
