import { sql } from 'kysely';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { isSignedBy } from '../helpers/notification-receiver.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { waitingForLocks } from '../helpers/waiting-for-locks.js';
import { authorizedState } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

const shop = forAllTests(() => NotifiedShop.start());
afterEach(async () => {
  await shop.forgetEndpoints();
});

/** An endpoint, and a payment whose notification was written while it was disabled. */
async function disabled() {
  const endpoint = await shop.endpoint({ eventTypes: ['payment.authorized'] });
  const address = `/v1/notification-endpoints/${endpoint.id}`;
  const change = async (state: string) => await shop.api.call('PATCH', address, { body: { state } });
  await change('disabled');
  const from = new Date();
  const payment = await shop.api.paymentWith(authorizedState());
  return { ...endpoint, from, payment, enable: async () => await change('enabled') };
}

describe('what is written while its endpoint is disabled', () => {
  test('is listed as not sent, with the reason, and stays so when it is enabled', async () => {
    const { payment, receiver, enable } = await disabled();
    const [listed] = await shop.list(`subject=${payment}&state=failed`);
    expect(await shop.show(listed?.id ?? '')).toMatchObject({
      deliveries: [
        {
          state: 'failed',
          attempts: 0,
          lastStatus: null,
          lastReason: 'Not sent: the endpoint was disabled.',
        },
      ],
      attempts: [],
    });
    await enable();
    const later = await shop.api.paymentWith(authorizedState());
    await shop.delivered(later);
    expect(receiver.received.map(({ data }) => data['id'])).toEqual([later]);
    expect(await shop.list(`subject=${payment}&state=failed`)).toHaveLength(1);
  });

  test.each([
    ['all that failed', () => ({ failed: true })],
    ['a time', (from: Date) => ({ from, to: new Date(Date.now() + 1_000) })],
  ])('is sent once by a replay of %s', async (_which, body) => {
    const { id, payment, from, receiver, enable, secret } = await disabled();
    await enable();
    expect((await shop.ask(`/${id}/replay`, body(from))).body).toEqual({ notifications: 1 });
    await shop.delivered(payment);
    expect(receiver.received).toMatchObject([{ type: 'payment.authorized', data: { id: payment } }]);
    expect(isSignedBy(secret, receiver.received[0]!)).toBe(true);
  });

  test('waits, once it is asked for again, until the endpoint is enabled', async () => {
    const { payment, receiver, enable } = await disabled();
    const [notification] = await shop.list(`subject=${payment}`);
    await shop.api.call('POST', `/v1/notifications/${notification?.id}/resend`);
    expect((await shop.list(`subject=${payment}`))[0]?.deliveries).toMatchObject([{ state: 'pending' }]);
    expect(receiver.received).toEqual([]);
    await enable();
    await shop.delivered(payment);
    expect(receiver.received).toHaveLength(1);
  });

  test('is not sent by a process that made its body for so long that the endpoint was disabled again', async () => {
    const { id, payment, receiver, enable } = await disabled();
    const { db } = shop.api;
    const letGo = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const lock = db.transaction().execute(async (trx) => {
      await sql`select from notifications where subject_id = ${payment} for update`.execute(trx);
      locked.resolve();
      await letGo.promise;
    });
    lock.catch(locked.reject);
    await locked.promise;
    await enable();
    await shop.ask(`/${id}/replay`, { failed: true });
    const waiting = async () => await waitingForLocks(db);
    await until(waiting, (count) => count > 0, 'the body to be made');
    await shop.api.call('PATCH', `/v1/notification-endpoints/${id}`, { body: { state: 'disabled' } });

    const now = performance.now.bind(performance);
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000);
    letGo.resolve();
    await lock;
    const isDue = sql<boolean>`due_at <= clock_timestamp()`.as('is_due');
    const delivery = db
      .selectFrom('notification_deliveries')
      .select(['state', isDue])
      .where('endpoint_id', '=', id);
    const shown = async () => await delivery.executeTakeFirstOrThrow();
    await until(shown, ({ state, is_due }) => state === 'delivered' || is_due, 'the end of its lease');
    clock.mockRestore();
    expect(receiver.received).toEqual([]);
    await enable();
    await shop.delivered(payment);
    expect(receiver.received).toHaveLength(1);
  });

  test('is not for an endpoint that takes other types', async () => {
    const { id } = await shop.register({ url: 'http://127.0.0.1:9/', eventTypes: ['refund.completed'] });
    await shop.api.call('PATCH', `/v1/notification-endpoints/${id}`, { body: { state: 'disabled' } });
    const payment = await shop.api.paymentWith(authorizedState());
    expect(await shop.list(`subject=${payment}`)).toMatchObject([{ deliveries: [] }]);
  });
});
