import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test } from 'vitest';
import { isSignedBy } from '../helpers/notification-receiver.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

const shop = forAllTests(() => NotifiedShop.start({ disableAfterMs: 300, waitsMs: [400, 400] }));
afterEach(async () => {
  await shop.forgetEndpoints();
});

const url = 'http://127.0.0.1:9/told';

describe('a registration', () => {
  test.each([
    ['an unknown type', { url, eventTypes: ['payment.captured', 'payment.paid'] }, '/eventTypes/1'],
    ['an unknown field', { url, secret: 'mine' }, '/secret'],
    ['no address', {}, '/url'],
  ])('with %s is refused, with the field', async (_case, body, pointer) => {
    const answer = await shop.ask('', body);
    expect([answer.status, answer.body['errors']]).toMatchObject([422, [{ pointer }]]);
  });

  test('is made once for a key, and shows its secret to whoever repeats the request, and to nobody else', async () => {
    const idempotencyKey = randomUUID();
    const first = await shop.ask('', { url }, { idempotencyKey });
    const again = await shop.ask('', { url }, { idempotencyKey });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    const address = `https://payments.example/v1/notification-endpoints/${String(first.body['id'])}`;
    for (const { headers } of [first, again]) expect(headers.get('location')).toBe(address);
    const other = await shop.ask('', { url: `${url}/other` }, { idempotencyKey });
    expect([other.status, other.body['type']]).toEqual([409, 'urn:payments:problem:idempotency-key-reused']);
    const replayed = [first, again, other].map(({ headers }) => headers.get('idempotent-replayed'));
    expect(replayed).toEqual([null, 'true', null]);
    const list = await shop.api.call('GET', '/v1/notification-endpoints');
    expect(list.body['data']).toMatchObject([
      { id: first.body['id'], url, state: 'enabled', eventTypes: [] },
    ]);
    expect(list.text).not.toContain('whsec_');
    const rows = await shop.api.db.selectFrom('notification_endpoints').selectAll().execute();
    const { secret } = first.body as { secret: string };
    for (const row of rows) expect(row.secret.includes(secret.slice(6))).toBe(false);
  });

  test('that is repeated after the endpoint was deleted is refused, and registers no other one', async () => {
    const idempotencyKey = randomUUID();
    const { id } = (await shop.ask('', { url }, { idempotencyKey })).body as { id: string };
    await shop.api.call('DELETE', `/v1/notification-endpoints/${id}`);
    const late = await shop.ask('', { url }, { idempotencyKey });
    expect([late.status, late.body['code']]).toEqual([409, 'endpoint_deleted']);
    const { body } = await shop.api.call('GET', '/v1/notification-endpoints');
    expect(body['data']).toEqual([]);
  });

  test('keeps no e-mail address of a description', async () => {
    const { id } = await shop.register({ url, description: 'ask anna@shop.example' });
    const path = `/v1/notification-endpoints/${id}`;
    const shown = async () => (await shop.api.call('GET', path)).text;
    expect(await shown()).not.toContain('anna@');
    await shop.api.call('PATCH', path, { body: { description: 'ask ben@shop.example' } });
    expect(await shown()).not.toContain('ben@');
  });

  test('is refused when the application has twenty endpoints', async () => {
    for (let n = 0; n < 20; n += 1) await shop.register({ url });
    const answer = await shop.ask('', { url });
    expect([answer.status, answer.body['code']]).toEqual([409, 'too_many_endpoints']);
  });
});

describe('a dead endpoint', () => {
  test('is not one for which nothing could be signed for too long: it is shown as failing, and stays enabled', async () => {
    const { id } = await shop.endpoint();
    await shop.api.db
      .updateTable('notification_endpoints')
      .set({ secret: Buffer.from('sealed under a key that is gone') })
      .execute();
    const unsent = await shop.delivered(await shop.api.paymentWith(authorizedState()), 'failed');
    expect(unsent.attempts.map(({ reason }) => reason)).toEqual(
      Array(3).fill('It could not be made or signed.'),
    );
    const { body } = await shop.api.call('GET', `/v1/notification-endpoints/${id}`);
    expect(body).toMatchObject({ state: 'enabled', failingSince: expect.any(String) as string });
  });

  test('is disabled when it has failed for too long, says so, and gets what it missed once it is enabled', async () => {
    const { id, receiver } = await shop.endpoint();
    receiver.answer = (response) => response.writeHead(500).end();
    const missed = await shop.api.paymentWith(authorizedState());
    const show = async () => (await shop.api.call('GET', `/v1/notification-endpoints/${id}`)).body;
    const dead = await until(show, ({ state }) => state === 'disabled', 'the endpoint to be disabled');
    expect(dead['stateReason']).toBe('It failed for too long. The last reason: It answered 500.');
    expect(dead['failingSince']).toEqual(expect.any(String));
    receiver.answer = (response) => response.writeHead(200).end();
    const enabled = await shop.api.call('PATCH', `/v1/notification-endpoints/${id}`, {
      body: { state: 'enabled' },
    });
    expect(enabled.body).toMatchObject({ state: 'enabled', stateReason: null, failingSince: null });
    await shop.delivered(missed);
  });

  test('that answers 410 is disabled at once', async () => {
    const { id, receiver } = await shop.endpoint();
    receiver.answer = (response) => response.writeHead(410).end();
    await shop.api.paymentWith(authorizedState());
    const show = async () => (await shop.api.call('GET', `/v1/notification-endpoints/${id}`)).body;
    const gone = await until(show, ({ state }) => state === 'disabled', 'the endpoint to be disabled');
    expect(gone['stateReason']).toBe('It answered 410 Gone.');
  });
});

describe('on request', () => {
  test('a test notification is sent to this endpoint alone, whatever types it takes', async () => {
    const { id, secret, receiver } = await shop.endpoint({ eventTypes: ['payment.captured'] });
    const { receiver: other } = await shop.endpoint();
    const answer = await shop.ask(`/${id}/test`);
    expect(answer.status).toBe(202);
    await until(
      async () => await shop.show(String(answer.body['notificationId'])),
      ({ deliveries: [delivery] }) => delivery?.state === 'delivered',
      'the test to be delivered',
    );
    expect(receiver.received).toMatchObject([{ type: 'endpoint.test', data: { endpointId: id } }]);
    expect(isSignedBy(secret, receiver.received[0]!)).toBe(true);
    expect(other.received).toEqual([]);
  });

  test('one notification is sent again, under the same id', async () => {
    const { receiver } = await shop.endpoint();
    const reported = await shop.delivered(await shop.api.paymentWith(authorizedState()));
    expect((await shop.api.call('POST', `/v1/notifications/${reported.id}/resend`)).status).toBe(202);
    await until(
      async () => receiver.received.length,
      (count) => count === 2,
      'the second delivery',
    );
    expect(receiver.received.map(({ id }) => id)).toEqual([reported.id, reported.id]);
  });

  test('a replay without sense is refused', async () => {
    const { id } = await shop.register({ url });
    for (const body of [{}, { failed: false }, { from: 'yesterday', to: 'today' }, { failed: true, from: 1 }])
      expect((await shop.ask(`/${id}/replay`, body)).status).toBe(422);
    const [earlier, later] = ['2030-01-31T12:00:00Z', '2030-01-31T12:00:01Z'];
    for (const from of [earlier, later]) {
      const answer = await shop.ask(`/${id}/replay`, { from, to: earlier });
      const errors = [{ pointer: '/to', detail: 'must be later than `from`' }];
      expect([answer.status, answer.body['errors']]).toEqual([422, errors]);
    }
    expect((await shop.ask(`/${id}/replay`, { from: earlier, to: later })).status).toBe(202);
  });

  test('a deleted endpoint gets nothing more, and is no longer shown', async () => {
    const { id, receiver } = await shop.endpoint();
    expect((await shop.api.call('DELETE', `/v1/notification-endpoints/${id}`)).status).toBe(204);
    expect((await shop.api.call('GET', `/v1/notification-endpoints/${id}`)).status).toBe(404);
    expect((await shop.api.call('DELETE', `/v1/notification-endpoints/${id}`)).status).toBe(404);
    const { receiver: other } = await shop.endpoint();
    const payment = await shop.api.paymentWith(authorizedState());
    await shop.delivered(payment);
    expect([receiver.received.length, other.received.length]).toEqual([0, 1]);
  });
});

describe('the list of notifications', () => {
  test('is filtered by type, subject, endpoint, state and date, and paged', async () => {
    const { id: endpoint } = await shop.endpoint({ eventTypes: ['payment.voided'] });
    const [one, two] = [
      await shop.api.paymentWith(authorizedState()),
      await shop.api.paymentWith(authorizedState()),
    ];
    await shop.api.moveTo(two, { status: 'voided', released: true });
    await shop.delivered(two);
    const about = async (query: string) => (await shop.list(query)).map(({ type }) => type);
    expect(await about(`subject=${two}`)).toEqual(['payment.voided', 'payment.authorized']);
    expect(await about(`subject=${one}&type=payment.voided`)).toEqual([]);
    expect(await about(`endpoint=${endpoint}`)).toEqual(['payment.voided']);
    expect(await about(`endpoint=${endpoint}&state=failed`)).toEqual([]);
    expect(await about(`subject=${two}&state=delivered`)).toEqual(['payment.voided']);
    expect(await about(`subject=${two}&from=2999-01-01T00:00:00Z`)).toEqual([]);
    expect(await about(`subject=${two}&to=2999-01-01T00:00:00Z&limit=1`)).toEqual(['payment.voided']);
    const first = await shop.api.call('GET', `/v1/notifications?subject=${two}&limit=1`);
    const next = await about(`subject=${two}&cursor=${String(first.body['nextCursor'])}`);
    expect(next).toEqual(['payment.authorized']);
  });

  test.each([
    'type=payment.paid',
    'subject=order-1',
    'endpoint=pay_1',
    'state=lost',
    'from=yesterday',
    'cursor=nonsense',
    'status=failed',
    'limit=0',
  ])('refuses %s and names it', async (query) => {
    const answer = await shop.api.call('GET', `/v1/notifications?${query}`);
    const parameter = query.split('=', 1)[0];
    expect([answer.status, answer.body['errors']]).toMatchObject([422, [{ parameter }]]);
  });
});

test('another application sees neither endpoints nor notifications, and gets none', async () => {
  const { id } = await shop.endpoint();
  const theirs = { apiKey: ApiFixture.bookshopKey };
  const { receiver } = await shop.endpoint({}, theirs);
  const reported = await shop.delivered(await shop.api.paymentWith(authorizedState()));
  const call = async (method: string, path: string, body?: object) =>
    (await shop.api.call(method, path, { ...theirs, ...(body && { body }), idempotencyKey: randomUUID() }))
      .status;
  const endpoint = `/v1/notification-endpoints/${id}`;
  expect(await call('GET', endpoint)).toBe(404);
  expect(await call('PATCH', endpoint, { state: 'disabled' })).toBe(404);
  expect(await call('DELETE', endpoint)).toBe(404);
  expect(await call('POST', `${endpoint}/rotate-secret`)).toBe(404);
  expect(await call('POST', `${endpoint}/test`)).toBe(404);
  expect(await call('POST', `${endpoint}/replay`, { failed: true })).toBe(404);
  expect(await call('GET', `/v1/notifications/${reported.id}`)).toBe(404);
  expect(await call('POST', `/v1/notifications/${reported.id}/resend`)).toBe(404);
  expect(await shop.list('', theirs)).toEqual([]);
  expect(await shop.list(`endpoint=${id}`, theirs)).toEqual([]);
  expect(receiver.received).toEqual([]);
  for (const { id: own } of (await shop.api.call('GET', '/v1/notification-endpoints', theirs)).body[
    'data'
  ] as { id: string }[])
    await shop.api.call('DELETE', `/v1/notification-endpoints/${own}`, theirs);
});
