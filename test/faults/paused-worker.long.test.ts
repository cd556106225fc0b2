import { randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { deleteDataFolder } from '#tools/postgres-installation.js';
import { type Stack, startStack } from '#tools/stack.js';
import { OrderService } from '../helpers/order-service.js';
import { SandboxAdmin } from '../helpers/sandbox-admin.js';
import { until } from '../helpers/until.js';

const dataFolder = mkdtempSync(join(tmpdir(), 'paused-worker-'));
const env = { OUTCOME_HORIZON_MS: '6000' };
let stack: Stack;
beforeAll(async () => {
  stack = await startStack({ dataFolder, workers: 2, webUi: false, env: { api: env, worker: env } });
});
afterAll(async () => {
  await stack.stop();
  deleteDataFolder(dataFolder);
});

it('a worker that was paused while it waited to repeat a capture does not make it beside the one that took over', async () => {
  const { addresses, config, workers } = stack;
  const sandbox = new SandboxAdmin(addresses.sandbox, config.clientId, config.clientSecret);
  const orders = new OrderService(addresses.api, stack.apiKey);
  const [paused, other] = workers;
  if (!paused || !other) throw new Error('two workers');
  await other.stop();
  await sandbox.configure({ approval: 'immediate' });
  const { id } = (await orders.order()).body;
  await orders.reaches(id, 'authorized');

  await sandbox.fault({ operation: 'authorization.capture', kind: 'status', status: 429, retryAfter: 10 });
  const asked = orders.capture(id, { amount: { value: '40.00', currency: 'USD' } }, randomUUID());
  const captures = async () =>
    (await sandbox.calls('limit=100')).filter(({ operation }) => operation === 'authorization.capture');
  await until(captures, (calls) => calls.some(({ status }) => status === 429), 'the refusal');
  process.kill(paused.pid ?? 0, 'SIGSTOP');
  await other.start();
  const books = async () => await sandbox.booksOf(id);
  await asked;
  await until(books, ({ length }) => length === 2, 'the other worker to capture', 300_000);

  process.kill(paused.pid ?? 0, 'SIGCONT');
  // It takes work again, so it has got past what it was doing.
  await other.stop();
  const { id: next } = (await orders.order()).body;
  await orders.reaches(next, 'authorized');
  expect(await books()).toEqual(['hold 10000', 'capture 4000']);
  expect((await orders.get(id)).captures).toHaveLength(1);
});
