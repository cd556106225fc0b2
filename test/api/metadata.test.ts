import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { order, authorizedState } from './api-fixture.js';
import { NotifiedShop } from './notified-shop.js';

const shop = forAllTests(() => NotifiedShop.start({}, { answerWithinMs: 1 }));

const metadata = { basket: '7', 'cost-centre': 'Köln' };

async function post(path: string, body: object, key: string = randomUUID()) {
  return await shop.api.call('POST', path, { body, idempotencyKey: key });
}

const receiver = { type: 'EMAIL', value: 'anna@example.com' };
const items = [{ itemId: 'anna-1', receiver, amount: { value: '7.50', currency: 'USD' } }];

test.each([
  ['payments', order],
  ['payouts', { items }],
])('what is given with an order of %s is shown there and in lists', async (of, body) => {
  const { body: made } = await post(`/v1/${of}`, { ...body, metadata });
  expect(made['metadata']).toEqual(metadata);
  expect((await shop.api.call('GET', `/v1/${of}/${String(made['id'])}`)).body['metadata']).toEqual(metadata);
  const { body: list } = await shop.api.call('GET', `/v1/${of}?limit=1`);
  expect(list['data']).toMatchObject([{ id: made['id'], metadata }]);
});

test('a subscription and a refund have theirs', async () => {
  const regular = { frequency: 'MONTH', cycles: 12, amount: '9.00' };
  const plan = await post('/v1/plans', { name: randomUUID(), description: 'x', currency: 'USD', regular });
  await shop.api.db.updateTable('plans').set({ status: 'active' }).execute();
  const addresses = { returnUrl: order.returnUrl, cancelUrl: order.cancelUrl };
  const startDate = new Date(Date.now() + 86_400_000).toISOString();
  const asked = { planId: plan.body['id'], startDate, ...addresses, metadata };
  expect((await post('/v1/subscriptions', asked)).body['metadata']).toEqual(metadata);

  const captures = [{ captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false }] as const;
  const id = await shop.api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
  const refund = await post(`/v1/payments/${id}/refunds`, { metadata });
  expect(refund.body['metadata'], refund.text).toEqual(metadata);
  const { body: payment } = await shop.api.call('GET', `/v1/payments/${id}`);
  expect(payment['refunds']).toMatchObject([{ metadata }]);
  expect(payment['metadata']).toEqual({});
});

test.each(['constructor', 'prototype', '__proto__'])('the name %s is refused, not left out', async (name) => {
  const given = JSON.parse(`{"basket": "7", "${name}": "x"}`) as object;
  const { status, body } = await post('/v1/payments', { ...order, metadata: given });
  expect(status).toBe(422);
  expect(body['errors']).toEqual([
    { pointer: `/metadata/${name}`, detail: 'has a name that no field may have' },
  ]);
});

test('a notification brings them', async () => {
  const { receiver: reported } = await shop.endpoint();
  const { body } = await post('/v1/payments', { ...order, metadata });
  const id = String(body['id']);
  await shop.api.moveTo(id, authorizedState());
  const { payload } = await shop.delivered(id);
  expect(payload).toMatchObject({ data: { id, metadata } });
  reported.close();
});

test('other metadata under the same key is another request; the same is marked as a replay', async () => {
  const key = randomUUID();
  const first = await post('/v1/payments', { ...order, metadata }, key);
  expect(first.headers.get('idempotent-replayed')).toBeNull();
  const again = await post('/v1/payments', { ...order, metadata }, key);
  expect([again.body['id'], again.headers.get('idempotent-replayed')]).toEqual([first.body['id'], 'true']);
  const other = await post('/v1/payments', { ...order, metadata: { basket: '8' } }, key);
  expect([other.status, other.headers.get('idempotent-replayed')]).toEqual([409, null]);
});

describe('metadata is refused', () => {
  test.each([
    ['a name that is too long', { ['n'.repeat(41)]: 'x' }, `/metadata/${'n'.repeat(41)}`],
    ['a name with a blank', { 'a b': 'x' }, '/metadata/a b'],
    ['a value that is too long', { a: 'x'.repeat(501) }, '/metadata/a'],
    ['a value that is no text', { a: 1 }, '/metadata/a'],
    ['a card number as a value', { a: 'card 4111 1111 1111 1111' }, '/metadata/a'],
    ['a card number as a name', { 4111111111111111: 'x' }, '/metadata/4111111111111111'],
    ['an e-mail address', { a: 'anna@example.com' }, '/metadata/a'],
    ['too many names', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`n${n}`, 'x'])), '/metadata'],
  ])('for %s', async (_case, given, pointer) => {
    const { status, body } = await post('/v1/payments', { ...order, metadata: given });
    expect([status, body['errors']]).toMatchObject([422, [{ pointer }]]);
  });
});

test('a problem has a code for programs and the id of the request', async () => {
  const missing = await shop.api.call('GET', '/v1/payments/pay_none');
  expect(missing.body).toMatchObject({ code: 'not_found', requestId: missing.headers.get('x-request-id') });
  const malformed = await shop.api.call('POST', '/v1/payments', { body: '{', idempotencyKey: randomUUID() });
  expect(malformed.body['code']).toBe('malformed_request');
});
