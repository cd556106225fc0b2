import { afterEach, describe, expect, test } from 'vitest';
import { isSignedBy } from '../helpers/notification-receiver.js';
import { forAllTests } from '../helpers/shared.js';
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

  test('is not for an endpoint that takes other types', async () => {
    const { id } = await shop.register({ url: 'http://127.0.0.1:9/', eventTypes: ['refund.completed'] });
    await shop.api.call('PATCH', `/v1/notification-endpoints/${id}`, { body: { state: 'disabled' } });
    const payment = await shop.api.paymentWith(authorizedState());
    expect(await shop.list(`subject=${payment}`)).toMatchObject([{ deliveries: [] }]);
  });
});
