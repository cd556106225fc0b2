import { createHash, randomBytes } from 'node:crypto';
import { afterAll, expect, it } from 'vitest';
import { paymentWorkflowId } from '#workflows/contract';
import { ApiProcess } from '../api/api-process.js';
import { startEngine } from '../helpers/engine.js';
import { historyText } from '../helpers/history-text.js';
import { OrderService } from '../helpers/order-service.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { WorkerProcess } from './worker-process.js';

const orderKey = randomBytes(16).toString('hex');
const sha256 = createHash('sha256').update(orderKey).digest('hex');
const keyOf = (id: string) => `${id}:${randomBytes(32).toString('base64')}`;
const [first, second] = [keyOf('firstkey'), keyOf('secondkey')];

let api: ApiProcess | undefined;
let worker: WorkerProcess | undefined;
const engine = forAllTests(() => startEngine({ withWorker: false }));
afterAll(async () => {
  await stop();
});

async function stop(): Promise<void> {
  await Promise.all([api?.close(), worker?.close()]);
}

/** All processes leave, and new ones come with these keys. */
async function restartWith(...keys: readonly string[]): Promise<OrderService> {
  await stop();
  const env = { ...engine.apiVariables, CODEC_KEYS: keys.join(',') };
  api = await ApiProcess.start({
    databaseUrl: engine.databaseUrl,
    applications: [engine.application],
    env: {
      ...env,
      API_KEYS: JSON.stringify([{ id: 'k', sha256, environment: 'sandbox', application: 'shop' }]),
      ANSWER_WITHIN_MS: '2000',
      FIRST_POLL_MS: '1000',
      LONGEST_POLL_MS: '1000',
    },
  });
  // Not to the API of the engine's own process, which has another key.
  worker = await WorkerProcess.start(engine, {
    ...env,
    PUBLIC_URL: api.url,
    WEBHOOK_REPAIR_INTERVAL_MS: '1000',
  });
  return new OrderService(api.url, orderKey);
}

/** The ids of the keys under which the history of a payment's run is encrypted. */
async function keysIn(paymentId: string): Promise<string[]> {
  const workflowId = paymentWorkflowId({ environment: 'sandbox', application: 'shop', paymentId });
  const { events } = await engine.temporal.workflow.getHandle(workflowId).fetchHistory();
  const text = historyText(events);
  return ['firstkey', 'secondkey'].filter((id) => text.includes(id));
}

async function approve(id: string): Promise<void> {
  const { state } = await engine.db
    .selectFrom('payments')
    .select('state')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  await engine.sandbox.approve(state.providerPaymentId ?? '');
}

it('a run that was begun under the old key is carried on under the new one, and needs the old one as long as it lives', async () => {
  let orders = await restartWith(first);
  const { body } = await orders.order();
  await orders.reaches(body.id, 'awaiting_approval');
  expect(await keysIn(body.id)).toEqual(['firstkey']);

  // Everybody has the new key before anybody encrypts with it.
  await restartWith(first, second);
  orders = await restartWith(second, first);
  await approve(body.id);
  await orders.reaches(body.id, 'authorized');
  expect(await keysIn(body.id)).toEqual(['firstkey', 'secondkey']);
  const other = await orders.order();
  await orders.reaches(other.body.id, 'awaiting_approval');
  expect(await keysIn(other.body.id)).toEqual(['secondkey']);

  // Too early for this run, which waits until its key is back; the younger one goes on.
  orders = await restartWith(second);
  const asked = await orders.capture(body.id);
  expect(asked.status).toBe(202);
  await approve(other.body.id);
  await orders.reaches(other.body.id, 'authorized');
  expect((await orders.get(body.id)).state).toBe('authorized');

  orders = await restartWith(second, first);
  const captured = await until(
    async () => await orders.get(body.id),
    ({ state }) => state === 'captured',
    'the capture that was asked for while the key was away',
  );
  expect(captured.captures).toHaveLength(1);
});
