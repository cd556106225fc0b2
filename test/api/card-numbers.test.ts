import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { allColumns } from '../helpers/all-columns.js';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, order } from './api-fixture.js';
import { deliver, event } from './deliveries.js';

const card = '4111-1111-1111-1111';
const solid = '5555555555554444';
const planted = `my card is ${card}`;
const email = 'planted@example.com';
const reported = expect.stringContaining('looks like a payment card number');

let payment: string;
const api = forAllTests(() => ApiFixture.start());
beforeAll(async () => {
  payment = await api.paymentWith({
    status: 'awaiting_approval',
    providerPaymentId: 'PAY-1',
    approvalToken: 'EC-1',
  });
});

const item = {
  itemId: 'a-1',
  receiver: { type: 'EMAIL', value: 'a@example.com' },
  amount: { value: '1.00', currency: 'USD' },
};
const plan = {
  name: 'Coffee',
  description: 'Beans',
  currency: 'USD',
  regular: { frequency: 'MONTH', cycles: 12, amount: '9.00' },
};
const agreement = {
  planId: 'plan_1',
  startDate: new Date(Date.now() + 86_400_000).toISOString(),
  returnUrl: order.returnUrl,
  cancelUrl: order.cancelUrl,
};
const post = async (path: string, body: unknown, idempotencyKey: string = randomUUID()) =>
  await api.call('POST', path, { body, idempotencyKey });

async function expectNothingKept(): Promise<void> {
  const rows = await allColumns(api.db);
  expect(rows.length).toBeGreaterThan(0);
  expect(rows.filter(({ row }) => /4111-1111|5555555555554444|planted@|planted%40/.test(row))).toEqual([]);
}

describe('a card number in a field of a request', () => {
  const decision = { decision: 'happened', reason: planted };
  test.each<[path: string, body: unknown, pointer: string]>([
    ['/v1/payments', { ...order, orderId: `order-${solid}` }, '/orderId'],
    ['/v1/payments', { ...order, description: planted }, '/description'],
    ['/v1/payments', { ...order, description: 'pay 41111111_11111111:12/29:123' }, '/description'],
    [
      '/v1/payments',
      { ...order, returnUrl: 'https://shop.example/4111%E2%80%941111%C2%A01111%2B1111' },
      '/returnUrl',
    ],
    ['/v1/payments', { ...order, payee: { email: `${solid}@example.com` } }, '/payee/email'],
    ['/v1/payments', { ...order, returnUrl: `https://shop.example/?pan=${solid}` }, '/returnUrl'],
    ['/v1/payments', { ...order, cancelUrl: 'https://shop.example/4111%201111%201111%201111' }, '/cancelUrl'],
    ['/v1/payments/{id}/refunds', { captureId: solid }, '/captureId'],
    ['/v1/payments/{id}/review/decision', decision, '/reason'],
    [
      '/v1/payments/{id}/review/decision',
      { decision: 'happened', reason: 'seen', evidence: { resourceId: solid } },
      '/evidence/resourceId',
    ],
    ['/v1/payouts', { items: [item], reference: `batch:${solid}` }, '/reference'],
    ['/v1/payouts', { items: [item], emailSubject: planted }, '/emailSubject'],
    ['/v1/payouts', { items: [item], note: planted }, '/note'],
    ['/v1/payouts', { items: [{ ...item, itemId: solid }] }, '/items/0/itemId'],
    ['/v1/payouts', { items: [item, { ...item, itemId: 'a-2', note: planted }] }, '/items/1/note'],
    [
      '/v1/payouts',
      { items: [{ ...item, receiver: { type: 'PAYPAL_ID', value: solid } }] },
      '/items/0/receiver/value',
    ],
    [
      '/v1/payouts',
      { items: [{ ...item, receiver: { type: 'USER_HANDLE', value: planted } }] },
      '/items/0/receiver/value',
    ],
    ['/v1/plans', { ...plan, name: planted }, '/name'],
    ['/v1/plans', { ...plan, description: planted }, '/description'],
    ['/v1/plans', { ...plan, regular: { ...plan.regular, name: planted } }, '/regular/name'],
    ['/v1/subscriptions', { ...agreement, name: planted }, '/name'],
    ['/v1/subscriptions', { ...agreement, description: planted }, '/description'],
    ['/v1/subscriptions', { ...agreement, planId: solid }, '/planId'],
    ['/v1/subscriptions/sub_1/cancel', { note: planted }, '/note'],
  ])('is refused with the name of the field: POST %s %j', async (path, body, pointer) => {
    const answer = await post(path.replace('{id}', payment), body);
    expect([answer.status, answer.body['errors']]).toEqual([422, [{ pointer, detail: reported }]]);
    expect(answer.text).not.toContain('1111');
    await expectNothingKept();
  });

  test('is refused in an Idempotency-Key and in a query', async () => {
    expect(await post('/v1/payments', order, `key ${card}`)).toMatchObject({
      status: 422,
      body: { errors: [{ header: 'Idempotency-Key', detail: reported }] },
    });
    expect(await api.call('GET', `/v1/payments?orderId=${solid}`)).toMatchObject({
      status: 422,
      body: { errors: [{ parameter: 'orderId', detail: reported }] },
    });
    const back = `/v1/payments/${payment}/return?paymentId=PAY-1&token=EC-1&PayerID=${solid}`;
    expect((await api.call('GET', back, { apiKey: null })).status).toBe(422);
    await expectNothingKept();
  });

  test('does not stop the payer’s return when it is in an ignored parameter', async () => {
    const back = `/v1/payments/${payment}/return?paymentId=PAY-1&token=EC-1&PayerID=PAYER1&ref=${solid}`;
    expect((await api.call('GET', back, { apiKey: null })).status).toBe(303);
  });

  test('is masked anywhere in what the provider delivers', async () => {
    const body = event(
      {
        id: `AUTH-${solid}`,
        state: planted,
        parent_payment: solid,
        custom: planted,
        amount: { total: solid, currency: 'USD' },
      },
      { id: `WH-${solid}`, summary: `${planted} by ${email}`, event_version: solid },
    );
    expect((await deliver(api, body)).status).toBe(200);
    await expectNothingKept();
  });
});

describe('text that only looks like a card number', () => {
  test('passes: telephone numbers, amounts, long order numbers', async () => {
    const phone = { ...item, receiver: { type: 'PHONE', value: '4222222222222' } };
    expect((await post('/v1/payouts', { items: [phone] })).status).toBeLessThan(300);
    const large = { amount: { value: '4222222.22', currency: 'USD' } };
    expect((await api.order({ ...large, orderId: '2026112216011234' })).status).toBeLessThan(300);
  });
});

describe('an e-mail address', () => {
  test('is refused where it would have to be kept as it is', async () => {
    const detail = 'must not hold an e-mail address';
    for (const address of [
      `https://shop.example/?m=${email}`,
      'https://shop.example/?m=planted%40example.com',
    ]) {
      expect(await api.order({ returnUrl: address })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/returnUrl', detail }] },
      });
    }
    expect(await api.order({}, `${email}/1`)).toMatchObject({
      status: 422,
      body: { errors: [{ header: 'Idempotency-Key', detail }] },
    });
    const back = `/v1/payments/${payment}/return?paymentId=PAY-1&token=EC-1&PayerID=${email}`;
    expect((await api.call('GET', back, { apiKey: null })).status).toBe(422);
  });

  test('is masked in every other text', async () => {
    expect((await api.order({ description: `for ${email}` })).status).toBeLessThan(300);
    const named = { ...plan, name: `Coffee of ${email}`, description: email };
    const regular = { ...plan.regular, name: email };
    expect((await post('/v1/plans', { ...named, regular })).status).toBeLessThan(300);
    await expectNothingKept();
  });
});
