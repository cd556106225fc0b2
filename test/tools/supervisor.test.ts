import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Supervisor } from '#tools/supervisor.js';
import { freePort } from '#tools/ports.js';
import { identify, isAlive } from '#tools/process-table.js';
import { projectRoot } from '#tools/project.js';

const server = `
  const { createServer } = require('node:http');
  createServer((request, response) => response.end('ok')).listen(Number(process.env.PORT), '127.0.0.1');
`;

describe('supervised children', () => {
  let folder: string;
  let supervisor: Supervisor;
  let accidents: string[];

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'supervisor-'));
    accidents = [];
    supervisor = await Supervisor.open({
      dataFolder: folder,
      onUnexpectedEnd: (line) => accidents.push(line),
    });
  });
  afterEach(async () => {
    await supervisor.stopAll();
    rmSync(folder, { recursive: true });
  });

  async function startServer(code = server, saysWhenStarted?: RegExp) {
    const port = await freePort();
    return supervisor.start({
      name: 'server',
      command: process.execPath,
      args: ['-e', code],
      env: { PORT: String(port) },
      stopGraceMs: 500,
      ...(saysWhenStarted && { saysWhenStarted }),
      isReady: async () => (await fetch(`http://127.0.0.1:${port}`)).ok,
    });
  }

  it('answer once started, and are gone once stopped', async () => {
    const child = await startServer();
    const identity = identify(child.pid!)!;
    await supervisor.stopAll();
    expect(isAlive(identity)).toBe(false);
    expect(accidents).toEqual([]);
  });

  it('are restarted after kill -9, without a report of an accident', async () => {
    const child = await startServer();
    const before = child.pid;
    await child.kill();
    await child.start();
    expect(child.pid).not.toBe(before);
    expect(accidents).toEqual([]);
  });

  it('are killed when they ignore the request to stop', async () => {
    const child = await startServer(`process.on('SIGTERM', () => {}); ${server}`);
    const identity = identify(child.pid!)!;
    await child.stop();
    expect(isAlive(identity)).toBe(false);
  });

  it('are reported in one sentence when they end unexpectedly', async () => {
    const child = await startServer();
    process.kill(child.pid!, 'SIGKILL');
    await expect.poll(() => accidents).toHaveLength(1);
    expect(accidents[0]).toBe(
      `server was ended by SIGKILL without being asked to: see ${join(folder, 'logs/server.log')}.`,
    );
  });

  it('are ready only when they have said so, after each start, however early they answer', async () => {
    const slow = `${server}; setTimeout(() => console.log('all parts run'), 300)`;
    const child = await startServer(slow, /all parts run/);
    expect(child.logTail()).toBe('all parts run');
    await child.restart();
    expect(child.logTail()).toBe('all parts run\nall parts run');
  });

  it('are reported with the end of their log when they end before they are ready', async () => {
    await expect(startServer(`console.error('no database'); process.exit(3)`)).rejects.toThrow(
      'server ended before it was ready. Its last lines:\nno database',
    );
  });

  it('are reported by name when their program is missing', async () => {
    const start = supervisor.start({
      name: 'temporal',
      command: '/nowhere/temporal',
      args: [],
      isReady: () => Promise.resolve(true),
    });
    await expect(start).rejects.toThrow(/^temporal could not be started: .*ENOENT/);
  });

  it('are not restarted while their supervisor stops', async () => {
    await supervisor.stopAll();
    await expect(startServer()).rejects.toThrow('Stopped before server was started.');
  });

  it('end when their supervisor is killed with -9', async () => {
    const pidFile = join(folder, 'child.pid');
    const script = join(folder, 'supervisor.mjs');
    writeFileSync(script, supervisorScript(pidFile));
    const owner = spawn(process.execPath, [script], { stdio: 'inherit' });
    await expect.poll(() => existsSync(pidFile)).toBe(true);
    const child = identify(Number(readFileSync(pidFile, 'utf8')))!;
    owner.kill('SIGKILL');
    await expect.poll(() => isAlive(child)).toBe(false);
  });
});

/** Speaks to the guardian as Supervisor does: its sources cannot be imported outside vitest before a build. */
function supervisorScript(pidFile: string): string {
  return `
    import { spawn } from 'node:child_process';
    import { renameSync, writeFileSync } from 'node:fs';
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { detached: true, stdio: 'ignore' });
    const guardian = spawn(process.execPath, ['${join(projectRoot, 'tools/guardian.ts')}'], {
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    guardian.stdin.write(JSON.stringify({ guard: child.pid, stopSignal: 'SIGTERM' }) + '\\n', () => {
      writeFileSync('${pidFile}.partial', String(child.pid));
      renameSync('${pidFile}.partial', '${pidFile}');
    });
  `;
}
