import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
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
  // Failures, because results of what was taken share statements. Of two endpoints, so that neither rests.
  const receivers = [(await shop.endpoint()).receiver, (await shop.endpoint()).receiver];
  const held: ServerResponse[] = [];
  for (const receiver of receivers) receiver.answer = (response) => void held.push(response);
  // Of both together more than the API has connections.
  const ids = await authorizedPayments(6);
  for (const receiver of receivers) await hasReceived(receiver, ids.length);
  const letGo = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = shop.api.db.transaction().execute(async (trx) => {
    await sql`lock table notification_attempts in access exclusive mode`.execute(trx);
    locked.resolve();
    await letGo.promise;
  });
  lock.catch(locked.reject);
  await locked.promise;
  for (const receiver of receivers) receiver.answer = (response) => response.writeHead(200).end();
  for (const response of held) response.writeHead(500).end();
  const waiting = async () => await waitingForLocks(shop.api.db);
  await until(waiting, (count) => count >= shareOfConnections, 'the results of the attempts to wait');

  const answers = await Promise.all(ids.map(async (id) => await shop.api.call('GET', `/v1/payments/${id}`)));
  expect(answers.map(({ status }) => status)).toEqual(ids.map(() => 200));
  expect(await waiting()).toBe(shareOfConnections);

  letGo.resolve();
  await lock;
  for (const id of ids) await shop.delivered(id);
});

test('what waits behind an endpoint that hangs is not sent once the endpoint is disabled', async () => {
  const { receiver, id: endpointId } = await shop.endpoint();
  const held: ServerResponse[] = [];
  receiver.answer = (response) => void held.push(response);
  const waiting = 8;
  await authorizedPayments(placesOfOne + waiting);
  await hasReceived(receiver, placesOfOne);
  const { db } = shop.api;
  const countOf = async (leases: number, state: 'pending' | 'delivered') =>
    (
      await db
        .selectFrom('notification_deliveries')
        .select('id')
        .where('endpoint_id', '=', endpointId)
        .where('leases', '=', leases)
        .where('state', '=', state)
        .execute()
    ).length;
  const leased = async () => await countOf(1, 'pending');
  await until(leased, (count) => count === placesOfOne + waiting, 'all to be leased');
  // The API knows of each lease, and since when: only then it makes a body, and the clock can move.
  const made = async () =>
    await db
      .selectFrom('notification_deliveries')
      .innerJoin('notifications', 'notifications.sequence', 'notification_deliveries.sequence')
      .select('notifications.sequence')
      .where('endpoint_id', '=', endpointId)
      .where('payload', 'is not', null)
      .execute();
  await until(made, ({ length }) => length === placesOfOne + waiting, 'their bodies to be made');

  const endpoint = `/v1/notification-endpoints/${endpointId}`;
  await shop.api.call('PATCH', endpoint, { body: { state: 'disabled' } });
  receiver.answer = (response) => response.writeHead(200).end();
  const now = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
  for (const response of held) response.writeHead(200).end();
  const delivered = async () => await countOf(1, 'delivered');
  await until(delivered, (count) => count === placesOfOne, 'the results of those that were sent');
  clock.mockRestore();

  await shop.api.call('PATCH', endpoint, { body: { state: 'enabled' } });
  // Their leases would end in minutes.
  await db
    .updateTable('notification_deliveries')
    .set({ due_at: new Date() })
    .where('state', '=', 'pending')
    .execute();
  await hasReceived(receiver, placesOfOne + waiting);
  const again = async () => await countOf(2, 'delivered');
  await until(again, (count) => count === waiting, 'those that waited to be sent by another lease');
  expect(receiver.received.length).toBe(placesOfOne + waiting);
});
