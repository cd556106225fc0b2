import { createServer } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { isSignedBy } from '../helpers/notification-receiver.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { authorizedState } from './api-fixture.js';
import { capture } from '../lifecycle/payment/sample-payments.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { newId, owner } from '../database/engine-database.js';
import { StoredRefund } from '../database/stored-refund.js';
import { NotifiedShop } from './notified-shop.js';

const shop = forAllTests(() => NotifiedShop.start());
afterEach(async () => {
  await shop.forgetEndpoints();
});

describe('a notification', () => {
  test('is what GET of the payment answers, in an envelope, signed by the secret of the endpoint', async () => {
    const { receiver, secret, id: endpointId } = await shop.endpoint();
    const id = await shop.api.paymentWith(authorizedState());
    const reported = await shop.delivered(id);
    const [received] = receiver.received;
    expect(receiver.received.length).toBe(1);
    expect(received).toMatchObject({
      id: reported.id,
      type: 'payment.authorized',
      sequence: reported.sequence,
    });
    expect(received?.headers).toMatchObject({
      'webhook-id': reported.id,
      'content-type': 'application/json',
    });
    expect(isSignedBy(secret, received!)).toBe(true);
    expect(isSignedBy(`whsec_${Buffer.alloc(32).toString('base64')}`, received!)).toBe(false);
    const { drift: _ofDetails, ...payment } = (await shop.api.call('GET', `/v1/payments/${id}`)).body;
    const anytime = { updatedAt: expect.any(String) as string, deadlines: expect.anything() as object };
    expect(received?.data).toEqual({ ...payment, ...anytime });
    expect(reported.payload).toEqual(JSON.parse(received?.body ?? ''));
    expect(reported.deliveries).toMatchObject([
      { endpointId, attempts: 1, lastStatus: 204, lastReason: null },
    ]);
    expect(reported.attempts).toMatchObject([{ status: 204, reason: null }]);
  });

  test('shows the state that it tells of, whatever the payment has come to before it is sent', async () => {
    const { receiver, id: endpointId } = await shop.endpoint();
    const endpoint = `/v1/notification-endpoints/${endpointId}`;
    await shop.api.call('PATCH', endpoint, { body: { state: 'disabled' } });
    const from = new Date();
    const id = await shop.api.paymentWith(authorizedState());
    await shop.api.moveTo(id, { status: 'voided', released: true });
    await shop.api.call('PATCH', endpoint, { body: { state: 'enabled' } });
    const to = new Date(Date.now() + 1_000);
    const answer = await shop.ask(`/${endpointId}/replay`, { from, to });
    expect([answer.status, answer.body]).toEqual([202, { notifications: 2 }]);
    await until(
      async () => receiver.received.map(({ type, data }) => [type, data['state']]),
      (reported) => reported.length === 2,
      'both to be told',
    );
    expect(receiver.received.map(({ type, data }) => [type, data['state']])).toEqual([
      ['payment.authorized', 'authorized'],
      ['payment.voided', 'voided'],
    ]);
  });

  test('shows the refunds and the version of its state, whatever has gone back before it is sent', async () => {
    const eventTypes = ['payment.authorized', 'payment.captured'];
    const { receiver, id: endpointId } = await shop.endpoint({ eventTypes });
    const endpoint = `/v1/notification-endpoints/${endpointId}`;
    await shop.api.call('PATCH', endpoint, { body: { state: 'disabled' } });
    const from = new Date();
    const id = await shop.api.paymentWith(authorizedState());
    const sendBack = async () =>
      await new StoredRefund(shop.api.db, owner, id, newId('REF')).write(refund('completed'), 2);
    await sendBack();
    await shop.api.moveTo(id, { status: 'captured', captures: [capture(100_00)] });
    const { drift: _ofDetails, ...payment } = (await shop.api.call('GET', `/v1/payments/${id}`)).body;
    await sendBack();
    await shop.api.call('PATCH', endpoint, { body: { state: 'enabled' } });
    await shop.ask(`/${endpointId}/replay`, { from, to: new Date(Date.now() + 1_000) });
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
      'both to be told',
    );
    const [authorized, captured] = receiver.received.map(({ data }) => data);
    expect(authorized).toMatchObject({ refunds: [], amounts: { refunded: { value: '0.00' } } });
    const anytime = { updatedAt: expect.any(String) as string, deadlines: expect.anything() as object };
    expect(captured).toEqual({ ...payment, ...anytime });
  });

  test('that cannot be made does not stop those that are made together with it', async () => {
    const { id: endpointId } = await shop.endpoint();
    const endpoint = `/v1/notification-endpoints/${endpointId}`;
    await shop.api.call('PATCH', endpoint, { body: { state: 'disabled' } });
    const from = new Date();
    const ids = await Promise.all([1, 2, 3].map(() => shop.api.paymentWith(authorizedState())));
    const [lost = '', ...others] = ids;
    await shop.api.db.deleteFrom('payments').where('id', '=', lost).execute();
    await shop.api.call('PATCH', endpoint, { body: { state: 'enabled' } });
    await shop.ask(`/${endpointId}/replay`, { from, to: new Date(Date.now() + 1_000) });
    for (const id of others) expect((await shop.delivered(id)).deliveries).toMatchObject([{ attempts: 1 }]);
    const [unmade] = await until(
      async () => await shop.list(`subject=${lost}`),
      ([first]) => first?.deliveries[0]?.state === 'failed',
      'the end of the one that cannot be made',
    );
    expect(unmade?.deliveries).toMatchObject([{ lastReason: 'It could not be made or signed.' }]);
  });

  test('is not written where no endpoint is registered, and not sent to one that takes other types', async () => {
    const before = await shop.api.paymentWith(authorizedState());
    expect(await shop.list(`subject=${before}`)).toEqual([]);
    await shop.endpoint({ eventTypes: ['refund.completed'] });
    const after = await shop.api.paymentWith(authorizedState());
    expect(await shop.list(`subject=${after}`)).toMatchObject([
      { type: 'payment.authorized', deliveries: [] },
    ]);
  });
});

describe('a receiver that fails', () => {
  test.each([
    ['answers 500', 500, 'It answered 500.'],
    ['redirects', 302, 'It answered with a redirect, which is not followed.'],
  ])(
    '%s: is sent the notification again, which is then given up, with each attempt and its reason',
    async (_case, status, reason) => {
      const { receiver } = await shop.endpoint();
      const elsewhere = await shop.receiver();
      receiver.answer = (response) => response.writeHead(status, { location: elsewhere.url }).end();
      const reported = await shop.delivered(await shop.api.paymentWith(authorizedState()), 'failed');
      expect(receiver.received.map(({ id }) => id)).toEqual(Array(4).fill(reported.id));
      expect(reported.attempts.map(({ reason: each }) => each)).toEqual(Array(4).fill(reason));
      expect(elsewhere.received).toEqual([]);
    },
  );

  test('gets the same bytes again until it takes them', async () => {
    const { receiver } = await shop.endpoint();
    receiver.answer = (response) => response.writeHead(receiver.received.length < 3 ? 503 : 200).end();
    const reported = await shop.delivered(await shop.api.paymentWith(authorizedState()));
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(reported.attempts.map(({ status }) => status)).toEqual([503, 503, 200]);
  });

  test('is not there: the reason says so', async () => {
    const { receiver } = await shop.endpoint();
    receiver.close();
    const reported = await shop.delivered(await shop.api.paymentWith(authorizedState()), 'failed');
    expect(reported.attempts[0]?.reason).toBe('It could not be reached: ECONNREFUSED.');
  });

  test('gets what happens to one payment in order, however often the first had to be sent', async () => {
    const { receiver } = await shop.endpoint();
    receiver.answer = (response) => response.writeHead(receiver.received.length < 3 ? 500 : 200).end();
    const id = await shop.api.paymentWith(authorizedState());
    await shop.api.moveTo(id, { status: 'voided', released: true });
    await until(
      async () => receiver.typesAbout(id),
      (types) => types.includes('payment.voided'),
      'the end to be told',
    );
    expect(receiver.typesAbout(id)).toEqual([
      ...Array<string>(3).fill('payment.authorized'),
      'payment.voided',
    ]);
    const sequences = receiver.received.map(({ sequence }) => sequence);
    expect(sequences).toEqual(sequences.toSorted((one, other) => one - other));
  });
});

describe('with little time', () => {
  const hurried = forAllTests(() => NotifiedShop.start({ timeoutMs: 2_000, waitsMs: [] }));

  test('one that hangs has not answered in time, and delays neither another endpoint nor another payment', async () => {
    const { receiver: hanging, id: hangingId } = await hurried.endpoint();
    const { receiver: well } = await hurried.endpoint();
    hanging.answer = () => undefined;
    const ids = await Promise.all(
      Array.from({ length: 3 }, () => hurried.api.paymentWith(authorizedState())),
    );
    for (const id of ids) {
      const [reported] = await until(
        async () => await hurried.list(`subject=${id}`),
        ([first]) => first?.deliveries.every(({ state }) => state !== 'pending') === true,
        'an end of both deliveries',
      );
      const of = (isHanging: boolean) =>
        reported?.deliveries.find(({ endpointId }) => (endpointId === hangingId) === isHanging);
      expect(of(true)).toMatchObject({ state: 'failed', lastReason: 'It did not answer in time.' });
      expect(of(false)).toMatchObject({ state: 'delivered' });
      expect(well.typesAbout(id)).toEqual(['payment.authorized']);
    }
  });
});

test('an endless answer is cut off', async () => {
  await shop.forgetEndpoints();
  const server = createServer((_request, response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write(Buffer.alloc(65_536)), 5);
    response.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as { port: number };
  await shop.register({ url: `http://127.0.0.1:${port}/` });
  await shop.delivered(await shop.api.paymentWith(authorizedState()));
  await until(
    async () => await new Promise<number>((count) => server.getConnections((_error, open) => count(open))),
    (open) => open === 0,
    'the connection to be closed',
  );
  server.close();
});

test('what a process leaves behind is delivered by the next one, when the lease has ended', async () => {
  const { receiver, id: endpointId } = await shop.endpoint();
  receiver.answer = (response) => response.writeHead(500).end();
  const id = await shop.api.paymentWith(authorizedState());
  const reported = await shop.delivered(id, 'failed');
  receiver.answer = (response) => response.writeHead(200).end();
  // As a process leaves it that dies while it sends.
  const deliveries = shop.api.db.updateTable('notification_deliveries').where('endpoint_id', '=', endpointId);
  const later = new Date(Date.now() + 3_600_000);
  await deliveries.set({ state: 'pending', due_at: later }).execute();
  // What is looked for since then is found and sent.
  await shop.delivered(await shop.api.paymentWith(authorizedState()));
  expect((await shop.show(reported.id)).deliveries).toMatchObject([{ state: 'pending' }]);
  await deliveries.set({ due_at: new Date() }).where('state', '=', 'pending').execute();
  await shop.delivered(id);
});

test('all that failed is sent again, and nothing else', async () => {
  const { id, receiver } = await shop.endpoint();
  await shop.delivered(await shop.api.paymentWith(authorizedState()));
  receiver.answer = (response) => response.writeHead(500).end();
  const failed = await shop.api.paymentWith(authorizedState());
  await shop.delivered(failed, 'failed');
  receiver.received.length = 0;
  receiver.answer = (response) => response.writeHead(200).end();
  expect((await shop.ask(`/${id}/replay`, { failed: true })).body).toEqual({ notifications: 1 });
  await shop.delivered(failed);
  expect(receiver.received.map(({ data }) => data['id'])).toEqual([failed]);
  expect((await shop.ask(`/${id}/replay`, { failed: true })).body).toEqual({ notifications: 0 });
});
