import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '#tools/ports.js';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { projectRoot } from '#tools/project.js';
import { OrderService } from '../helpers/order-service.js';
import { until } from '../helpers/until.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'start-command-'));
let command: ChildProcess;
let printed = '';
let orders: OrderService;

beforeAll(async () => {
  command = spawn(process.execPath, [join(projectRoot, 'tools/bootstrap.mjs'), 'start'], {
    env: { ...process.env, DATA_DIR: dataFolder, ...(await ports()) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  command.stdout?.on('data', (chunk) => (printed += String(chunk)));
  await untilPrinted('API key');
  orders = new OrderService(shown('API'), shown('API key'));
});
afterAll(async () => {
  const ended = once(command, 'exit');
  command.kill('SIGINT');
  await ended;
  deleteDataFolder(dataFolder);
});

it.each(['worker', 'api', 'sandbox', 'temporal', 'engine-postgres', 'sandbox-postgres'])(
  'npm start restarts the %s when it is killed, and payments continue',
  async (name) => {
    const { id } = (await orders.order()).body;
    const { pid } = JSON.parse(readFileSync(join(dataFolder, 'processes', `${name}.json`), 'utf8')) as {
      pid: number;
    };
    process.kill(pid, 'SIGKILL');
    await untilPrinted(`${name} runs again.`);
    const { approvalUrl } = await orders.reaches(id, 'awaiting_approval');
    const token = new URL(approvalUrl ?? '').searchParams.get('token') ?? '';
    const approved = await fetch(`${shown('payments sandbox')}/checkout/approve`, {
      method: 'POST',
      body: new URLSearchParams({ token }),
      redirect: 'manual',
    });
    await fetch(approved.headers.get('location') ?? '', { redirect: 'manual' });
    await orders.reaches(id, 'authorized');
    expect((await orders.capture(id)).status).toBe(201);
    await orders.reaches(id, 'captured');
    expect(command.exitCode).toBeNull();
  },
);

async function untilPrinted(words: string): Promise<void> {
  await until(
    async () => printed,
    (text) => text.includes(words),
    words,
  );
}

/** What `npm start` has printed beside a name: what a newcomer has. */
function shown(name: string): string {
  return new RegExp(`^ *${name} +(\\S+)$`, 'm').exec(printed)?.[1] ?? '';
}

async function ports(): Promise<Record<string, string>> {
  const names = ['PORT', 'HEALTH_PORT', 'SANDBOX_PORT', 'TEMPORAL_PORT', 'TEMPORAL_UI_PORT'];
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, String(await freePort())] as const)),
  );
}
