import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import type { NotificationReceiver } from '../helpers/notification-receiver.js';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { ApiFixture, authorizedState, order } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

/** As many deliveries of one endpoint may be under way in a process. */
const placesOfOne = 16;
/** As many of the API's ten connections to the database may be used for notifications. */
const shareOfConnections = 6;

let shop: NotifiedShop;
beforeAll(async () => {
  // What hangs, hangs for longer than a test.
  shop = await NotifiedShop.start({ timeoutMs: 600_000 });
});
afterEach(async () => {
  await shop.forgetEndpoints();
});
afterAll(async () => {
  await shop.close();
});

async function authorizedPayments(count: number): Promise<string[]> {
  return await Promise.all(
    Array.from({ length: count }, async () => await shop.api.paymentWith(authorizedState())),
  );
}

async function hasReceived(receiver: NotificationReceiver, count: number): Promise<void> {
  await until(
    async () => new Set(receiver.received.map(({ id }) => id)).size,
    (received) => received === count,
    `${count} notifications`,
  );
}

test('a dead endpoint with a backlog delays neither another endpoint nor another application', async () => {
  const { receiver: dead } = await shop.endpoint();
  const { receiver: well } = await shop.endpoint();
  const { receiver: bookshop } = await shop.endpoint({}, { apiKey: ApiFixture.bookshopKey });
  const held: ServerResponse[] = [];
  dead.answer = (response) => void held.push(response);
  const backlog = placesOfOne + 8;
  await authorizedPayments(backlog);
  await hasReceived(dead, placesOfOne);
  await hasReceived(well, backlog);

  const options = { body: order, apiKey: ApiFixture.bookshopKey, idempotencyKey: randomUUID() };
  const { body } = await shop.api.call('POST', '/v1/payments', options);
  await shop.api.moveTo(String(body['id']), authorizedState());
  await hasReceived(bookshop, 1);

  // The dead one has no more places than its own, and what it did not take is not lost.
  expect(held.length).toBe(placesOfOne);
  dead.answer = (response) => response.writeHead(200).end();
  for (const response of held) response.writeHead(200).end();
  await hasReceived(dead, backlog);
});

test('notifications that wait for the database leave connections to those who call', async () => {
  const { receiver } = await shop.endpoint();
  const held: ServerResponse[] = [];
  receiver.answer = (response) => void held.push(response);
  // More than the API has connections.
  const ids = await authorizedPayments(12);
  await hasReceived(receiver, ids.length);
  const letGo = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = shop.api.db.transaction().execute(async (trx) => {
    await sql`lock table notification_attempts in access exclusive mode`.execute(trx);
    locked.resolve();
    await letGo.promise;
  });
  lock.catch(locked.reject);
  await locked.promise;
  for (const response of held) response.writeHead(200).end();
  const waiting = async () => await waitingForLocks(shop.api.db);
  await until(waiting, (count) => count >= shareOfConnections, 'the results of the attempts to wait');

  const answers = await Promise.all(ids.map(async (id) => await shop.api.call('GET', `/v1/payments/${id}`)));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect(await waiting()).toBe(shareOfConnections);

  letGo.resolve();
  await lock;
  for (const id of ids) await shop.delivered(id);
});
