import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { isSignedBy, type NotificationReceiver } from '../helpers/notification-receiver.js';
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

describe('what waits behind an endpoint that hangs', () => {
  const waiting = 8;

  /** All places are taken, and others wait for them; `letGo` ends what hangs, a minute later by the clock. */
  async function hanging() {
    const { receiver, id: endpointId, secret } = await shop.endpoint();
    const held: ServerResponse[] = [];
    receiver.answer = (response) => void held.push(response);
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

    const letGo = async () => {
      receiver.answer = (response) => response.writeHead(200).end();
      const now = performance.now.bind(performance);
      const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
      for (const response of held) response.writeHead(200).end();
      await until(
        async () => await countOf(1, 'delivered'),
        (count) => count === placesOfOne,
        'the results of those that were sent',
      );
      clock.mockRestore();
    };
    const address = `/v1/notification-endpoints/${endpointId}`;
    const change = async (body: object) => await shop.api.call('PATCH', address, { body });
    const areSentAgain = async () => {
      await until(
        async () => await countOf(2, 'delivered'),
        (count) => count === waiting,
        'those that waited to be sent by another lease',
      );
    };
    return { receiver, secret, endpointId, letGo, change, areSentAgain };
  }

  test('is not sent once the endpoint is disabled, and at once when it is enabled', async () => {
    const { receiver, letGo, change, areSentAgain } = await hanging();
    await change({ state: 'disabled' });
    await letGo();
    expect(receiver.received.length).toBe(placesOfOne);
    await change({ state: 'enabled' });
    await areSentAgain();
    expect(receiver.received.length).toBe(placesOfOne + waiting);
  });

  test('goes to the new address of the endpoint, at once', async () => {
    const { receiver, letGo, change, areSentAgain } = await hanging();
    const moved = await shop.receiver();
    await change({ url: moved.url });
    await letGo();
    await areSentAgain();
    expect(receiver.received.length).toBe(placesOfOne);
    expect(moved.received.length).toBe(waiting);
  });

  test('is signed by the secret that a rotation has made meanwhile', async () => {
    const { receiver, secret, endpointId, letGo, areSentAgain } = await hanging();
    const { body } = await shop.ask(`/${endpointId}/rotate-secret`, { overlapHours: 0 });
    await letGo();
    await areSentAgain();
    const later = receiver.received.slice(placesOfOne);
    expect(later).toHaveLength(waiting);
    expect(later.every((each) => isSignedBy(String(body['secret']), each))).toBe(true);
    expect(later.some((each) => isSignedBy(secret, each))).toBe(false);
  });
});
