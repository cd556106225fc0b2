import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { authorizedState, codecKeys, configuration } from './api-fixture.js';
import { ApiProcess } from './api-process.js';
import { NotifiedShop } from './notified-shop.js';

let shop: NotifiedShop;
let api: ApiProcess | undefined;
beforeAll(async () => {
  // This one delivers nothing: no change is announced to it, and it looks for none.
  shop = await NotifiedShop.start({ sweepMs: 2 ** 30 });
});
beforeEach(async () => {
  await shop.forgetEndpoints();
});
afterEach(async () => {
  await api?.close();
  api = undefined;
});
afterAll(async () => {
  await shop.close();
});

async function startProcess(): Promise<void> {
  const key = codecKeys.keys.get('test') ?? Buffer.alloc(0);
  api = await ApiProcess.start({
    databaseUrl: shop.api.databaseUrl,
    applications: configuration('').applications.slice(0, 1),
    env: { CODEC_KEYS: `test:${key.toString('base64')}`, NOTIFICATION_ADDRESSES: 'any' },
  });
}

test('what is committed when no process is there to send it is sent by the next one', async () => {
  const { receiver } = await shop.endpoint();
  const id = await shop.api.paymentWith(authorizedState());
  expect(receiver.received).toEqual([]);
  await startProcess();
  await shop.delivered(id);
  expect(receiver.typesAbout(id)).toEqual(['payment.authorized']);
});

test('what a process was sending when it was killed is sent again, under the same id', async () => {
  const { receiver } = await shop.endpoint();
  receiver.answer = () => undefined;
  const id = await shop.api.paymentWith(authorizedState());
  await startProcess();
  await until(
    async () => receiver.received.length,
    (count) => count === 1,
    'the first attempt',
  );
  await api?.kill();
  receiver.answer = (response) => response.writeHead(200).end();
  // The lease of the dead process would end in a minute.
  await shop.api.db.updateTable('notification_deliveries').set({ due_at: new Date() }).execute();
  await startProcess();
  const reported = await shop.delivered(id);
  expect(receiver.received.map((each) => each.id)).toEqual([reported.id, reported.id]);
  expect(reported.attempts).toMatchObject([
    { durationMs: null, status: null },
    { status: 200, reason: null },
  ]);
});

test('what was taken before its process was killed is sent again if that was not recorded', async () => {
  const { receiver } = await shop.endpoint();
  const held: ServerResponse[] = [];
  receiver.answer = (response) => void held.push(response);
  const ids = [
    await shop.api.paymentWith(authorizedState()),
    await shop.api.paymentWith(authorizedState()),
    await shop.api.paymentWith(authorizedState()),
  ];
  await startProcess();
  const received = async () => receiver.received.length;
  await until(received, (count) => count === ids.length, 'the first attempts');
  const { db } = shop.api;
  const letGo = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = db.transaction().execute(async (trx) => {
    await sql`lock table notification_attempts in access exclusive mode`.execute(trx);
    locked.resolve();
    await letGo.promise;
  });
  lock.catch(locked.reject);
  await locked.promise;
  for (const response of held) response.writeHead(204).end();
  await until(
    async () => await waitingForLocks(db),
    (count) => count > 0,
    'a result that waits to be recorded',
  );
  await api?.kill();
  // The server would carry out the statement of the dead process.
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
  letGo.resolve();
  await lock;
  receiver.answer = (response) => response.writeHead(200).end();
  await db.updateTable('notification_deliveries').set({ due_at: new Date() }).execute();
  await startProcess();
  const reported = await Promise.all(ids.map(async (id) => await shop.delivered(id)));
  const times = reported.map(({ id }) => receiver.received.filter((each) => each.id === id).length);
  expect(times).toEqual([2, 2, 2]);
  for (const { attempts } of reported) expect(attempts).toMatchObject([{ status: null }, { status: 200 }]);
});

test('what a process was sending when it was shut down is sent again, and its endpoint is not blamed', async () => {
  const { receiver, id: endpointId } = await shop.endpoint();
  const { db } = shop.api;
  receiver.answer = () => undefined;
  const id = await shop.api.paymentWith(authorizedState());
  // The last try that it has, of an endpoint that one more failure would disable.
  const longAgo = new Date(Date.now() - 30 * 86_400_000);
  await db
    .updateTable('notification_deliveries')
    .set({ tries: 9 })
    .where('endpoint_id', '=', endpointId)
    .execute();
  const failing = { failures: 1, failing_since: longAgo };
  await db.updateTable('notification_endpoints').set(failing).where('id', '=', endpointId).execute();
  await startProcess();
  await until(
    async () => receiver.received.length,
    (count) => count === 1,
    'the first attempt',
  );
  await api?.close();
  api = undefined;

  const [cutOff] = await shop.list(`subject=${id}`);
  expect(cutOff?.deliveries).toMatchObject([{ state: 'pending', lastStatus: null, lastReason: null }]);
  const { body: endpoint } = await shop.api.call('GET', `/v1/notification-endpoints/${endpointId}`);
  expect(endpoint).toMatchObject({ state: 'enabled', failingSince: longAgo.toISOString() });

  receiver.answer = (response) => response.writeHead(200).end();
  // The lease of the process that has ended would end in a minute.
  await db.updateTable('notification_deliveries').set({ due_at: new Date() }).execute();
  await startProcess();
  const told = await shop.delivered(id);
  expect(receiver.received.map((each) => each.id)).toEqual([told.id, told.id]);
  expect(told.attempts).toMatchObject([
    { durationMs: null, status: null, reason: null },
    { status: 200, reason: null },
  ]);
});
