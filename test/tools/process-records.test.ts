import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { claimDataFolder, recordProcess, releaseDataFolder, classifyRecord } from '#tools/process-records.js';
import { ensurePortsAreFree } from '#tools/ports.js';
import { identify, isAlive, type ProcessIdentity } from '#tools/process-table.js';

describe('process records', () => {
  let folder: string;
  const spawned: ProcessIdentity[] = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'process-records-'));
  });
  afterEach(() => {
    for (const identity of spawned.splice(0)) if (isAlive(identity)) process.kill(identity.pid, 'SIGKILL');
    rmSync(folder, { recursive: true });
  });

  async function spawnSleeper(): Promise<ProcessIdentity> {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await once(child, 'spawn');
    const identity = identify(child.pid!)!;
    spawned.push(identity);
    return identity;
  }

  /** Its threads have much memory to give back, so they end one after the other. */
  async function spawnListener(): Promise<{ readonly orphan: ProcessIdentity; readonly port: number }> {
    const thread = `const memory = Buffer.alloc(60e6, 1);
      setInterval(() => memory.fill(2), 50);
      require('node:worker_threads').parentPort.postMessage('filled');`;
    const listener = `const threads = Array.from({ length: 8 }, () =>
        new (require('node:worker_threads').Worker)(${JSON.stringify(thread)}, { eval: true }));
      const filled = threads.map((each) => require('node:events').once(each, 'message'));
      const server = require('node:http').createServer();
      void Promise.all(filled).then(() =>
        server.listen(0, '127.0.0.1', () => console.log(server.address().port)));`;
    const child = spawn(process.execPath, ['-e', listener], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [port] = (await once(child.stdout, 'data')) as [Buffer];
    const orphan = identify(child.pid!)!;
    spawned.push(orphan);
    return { orphan, port: Number(port) };
  }

  it('end the orphans of a supervisor that was killed', async () => {
    const orphan = await spawnSleeper();
    await claimDataFolder(folder);
    recordProcess(folder, { ...orphan, name: 'worker', stopSignal: 'SIGTERM' });
    writeFileSync(
      join(folder, 'supervisor.json'),
      JSON.stringify({ pid: process.pid, startedAt: 'before a crash' }),
    );
    expect(await claimDataFolder(folder)).toEqual(['worker']);
    expect(isAlive(orphan)).toBe(false);
    expect(readdirSync(join(folder, 'processes'))).toEqual([]);
  });

  it('end all threads of an orphan, so that its port is free at once', async () => {
    const { orphan, port } = await spawnListener();
    await claimDataFolder(folder);
    recordProcess(folder, { ...orphan, name: 'worker', stopSignal: 'SIGKILL' });
    writeFileSync(
      join(folder, 'supervisor.json'),
      JSON.stringify({ pid: process.pid, startedAt: 'before a crash' }),
    );
    await claimDataFolder(folder);
    await ensurePortsAreFree([{ port, what: 'The worker', variable: 'HEALTH_PORT' }]);
  });

  it('do not affect another process that has the id of an old child', async () => {
    const otherProcess = await spawnSleeper();
    await claimDataFolder(folder);
    recordProcess(folder, {
      pid: otherProcess.pid,
      startedAt: 'long ago',
      name: 'worker',
      stopSignal: 'SIGTERM',
    });
    expect(await claimDataFolder(folder)).toEqual([]);
    expect(isAlive(otherProcess)).toBe(true);
  });

  it('refuse a folder that a running supervisor holds, and take it once that one has ended', async () => {
    await claimDataFolder(folder);
    releaseDataFolder(folder);
    const supervisor = await spawnSleeper();
    writeFileSync(join(folder, 'supervisor.json'), JSON.stringify(supervisor));
    await expect(claimDataFolder(folder)).rejects.toThrow(
      `Process ${supervisor.pid} is running on ${folder} already`,
    );
    process.kill(supervisor.pid, 'SIGKILL');
    await expect.poll(() => isAlive(supervisor)).toBe(false);
    await claimDataFolder(folder);
  });

  it('survive when a crash has cut them short', async () => {
    await claimDataFolder(folder);
    writeFileSync(join(folder, 'processes/worker.json'), '{"pid":');
    writeFileSync(join(folder, 'supervisor.json'), '');
    expect(await claimDataFolder(folder)).toEqual([]);
  });

  it('distinguish the recorded process from a later one with its id', () => {
    const record = { pid: 7, startedAt: 'then', name: 'api', stopSignal: 'SIGTERM' } as const;
    expect(classifyRecord(record, undefined)).toBe('gone');
    expect(classifyRecord(record, { pid: 7, startedAt: 'now' })).toBe('otherProcess');
    expect(classifyRecord(record, { pid: 7, startedAt: 'then' })).toBe('orphan');
  });
});
