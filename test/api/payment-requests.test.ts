import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, order } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

const sale = { ...order, intent: 'sale' };
const without = (field: keyof typeof order) => {
  const { [field]: _removed, ...rest } = order;
  return rest;
};

describe('an order with one wrong field is refused by that field’s name', () => {
  test.each([
    ['no order id', without('orderId'), '/orderId'],
    ['an order id with an e-mail in it', { ...order, orderId: 'bob@example.com' }, '/orderId'],
    ['an order id that is too long', { ...order, orderId: 'o'.repeat(128) }, '/orderId'],
    ['another intent', { ...order, intent: 'order' }, '/intent'],
    ['no amount', without('amount'), '/amount'],
    ['a number for an amount', { ...order, amount: { value: 10, currency: 'USD' } }, '/amount/value'],
    ['too many decimals', { ...order, amount: { value: '10.001', currency: 'USD' } }, '/amount/value'],
    ['decimals of a yen', { ...order, amount: { value: '10.5', currency: 'JPY' } }, '/amount/value'],
    ['an amount of nothing', { ...order, amount: { value: '0.00', currency: 'USD' } }, '/amount/value'],
    ['a negative amount', { ...order, amount: { value: '-1.00', currency: 'USD' } }, '/amount/value'],
    ['an exponent', { ...order, amount: { value: '1e3', currency: 'USD' } }, '/amount/value'],
    [
      'an amount beyond integers',
      { ...order, amount: { value: '999999999999999', currency: 'USD' } },
      '/amount/value',
    ],
    [
      'more than ten characters',
      { ...order, amount: { value: '10000000', currency: 'USD' } },
      '/amount/value',
    ],
    [
      'more than a million dinars',
      { ...order, amount: { value: '1000000', currency: 'KWD' } },
      '/amount/value',
    ],
    [
      'more yen than ten digits',
      { ...order, intent: 'sale', amount: { value: '10000000000', currency: 'JPY' } },
      '/amount/value',
    ],
    ['a sale that is captured', { ...sale, capturePolicy: { mode: 'automatic' } }, '/capturePolicy'],
    ['a sale that is reauthorized', { ...sale, honourPolicy: { reauthorize: 'once' } }, '/honourPolicy'],
    ['a sale that is voided', { ...sale, expiryPolicy: { action: 'void' } }, '/expiryPolicy'],
    ['a sale of a wrong currency', { ...sale, amount: { value: '1', currency: 'XYZ' } }, '/amount/currency'],
    [
      'a sale with too many decimals',
      { ...sale, amount: { value: '1.0001', currency: 'KWD' } },
      '/amount/value',
    ],
    ['a currency that is none', { ...order, amount: { value: '1', currency: 'ABC' } }, '/amount/currency'],
    ['a currency in lower case', { ...order, amount: { value: '1', currency: 'usd' } }, '/amount/currency'],
    ['parts that add up to less', { ...order, amountDetails: { subtotal: '99.99' } }, '/amountDetails'],
    [
      'parts that add up to more',
      { ...order, amountDetails: { subtotal: '100.00', tax: '0.01' } },
      '/amountDetails',
    ],
    [
      'a discount that is added',
      { ...order, amountDetails: { subtotal: '95.00', shippingDiscount: '5.00' } },
      '/amountDetails',
    ],
    ['parts without a subtotal', { ...order, amountDetails: { tax: '100.00' } }, '/amountDetails/subtotal'],
    [
      'a part that is no amount',
      { ...order, amountDetails: { subtotal: '90.00', tax: '10.001' } },
      '/amountDetails/tax',
    ],
    [
      'a negative part',
      { ...order, amountDetails: { subtotal: '105.00', shippingDiscount: '-5.00' } },
      '/amountDetails/shippingDiscount',
    ],
    [
      'a discount that has no room for its minus sign',
      {
        ...order,
        amount: { value: '0.01', currency: 'USD' },
        amountDetails: { subtotal: '1000000.01', shippingDiscount: '1000000.00' },
      },
      '/amountDetails/shippingDiscount',
    ],
    [
      'a part that nobody knows',
      { ...order, amountDetails: { subtotal: '100.00', tip: '0.00' } },
      '/amountDetails/tip',
    ],
    ['a surplus field in the amount', { ...order, amount: { ...order.amount, tip: '1' } }, '/amount/tip'],
    ['a surplus field', { ...order, 'a/b~c': 1 }, '/a~1b~0c'],
    [
      'a country that is none',
      { ...order, shippingAddress: { line1: '7 Lighthouse Road', countryCode: 'usa' } },
      '/shippingAddress/countryCode',
    ],
    [
      'an address without a street',
      { ...order, shippingAddress: { countryCode: 'US' } },
      '/shippingAddress/line1',
    ],
    ['a note that is too long', { ...order, noteToPayer: 'n'.repeat(166) }, '/noteToPayer'],
    ['NUL in the description', { ...order, description: 'a\0b' }, '/description'],
    ['half a surrogate pair in the description', { ...order, description: 'a\ud800' }, '/description'],
    ['a payee that is no e-mail', { ...order, payee: { email: 'nobody' } }, '/payee/email'],
    ['NUL in the return address', { ...order, returnUrl: 'https://shop.example/?a=\0' }, '/returnUrl'],
    [
      'half a surrogate pair in the cancel address',
      { ...order, cancelUrl: 'https://shop.example/\ud800' },
      '/cancelUrl',
    ],
    ['a relative return address', { ...order, returnUrl: '/thanks' }, '/returnUrl'],
    ['a script for a return address', { ...order, returnUrl: 'javascript:alert(1)' }, '/returnUrl'],
    ['credentials in the cancel address', { ...order, cancelUrl: 'https://a:b@shop.example/' }, '/cancelUrl'],
    ['an unknown capture policy', { ...order, capturePolicy: { mode: 'never' } }, '/capturePolicy/mode'],
    [
      'a capture time that is none',
      { ...order, capturePolicy: { mode: 'at', at: 'soon' } },
      '/capturePolicy/at',
    ],
    [
      'a capture time by which any hold has ended',
      { ...order, capturePolicy: { mode: 'at', at: '2999-01-31T12:00:00Z' } },
      '/capturePolicy/at',
    ],
    [
      'an unknown honour policy',
      { ...order, honourPolicy: { reauthorize: 'twice' } },
      '/honourPolicy/reauthorize',
    ],
    ['an unknown expiry policy', { ...order, expiryPolicy: { action: 'keep' } }, '/expiryPolicy/action'],
    ['an approval time-out of nothing', { ...order, approvalTimeoutSeconds: 0 }, '/approvalTimeoutSeconds'],
    ['a list for a body', [], ''],
    ['null for a body', null, ''],
  ])('%s', async (_case, body, pointer) => {
    const answer = await api.call('POST', '/v1/payments', { body, idempotencyKey: 'refused' });
    expect(answer.status).toBe(422);
    expect(answer.headers.get('content-type')).toContain('application/problem+json');
    expect(answer.body).toMatchObject({ type: 'urn:payments:problem:validation-failed', status: 422 });
    expect((answer.body['errors'] as { pointer: string }[]).map((error) => error.pointer)).toEqual([pointer]);
  });

  test.each([
    ['a field that is missing', without('amount'), 'is required'],
    ['another type', { ...order, orderId: 1001 }, 'must be a string'],
    ['a fraction', { ...order, approvalTimeoutSeconds: 1.5 }, 'must be a whole number'],
    ['one of two values', { ...order, intent: 'order' }, 'must be one of "authorize", "sale"'],
    [
      'a policy about what is not held',
      { ...order, intent: 'sale', expiryPolicy: { action: 'void' } },
      'is not allowed for a sale, which holds no funds',
    ],
    [
      'too much money',
      { ...order, amount: { value: '10000000', currency: 'USD' } },
      'must have at most 10 characters, with all decimals of USD',
    ],
    [
      'none of several values',
      { ...order, expiryPolicy: { action: 'keep' } },
      'must be one of "void", "capture", "expire"',
    ],
    [
      'parts of another sum',
      { ...order, amountDetails: { subtotal: '90.00', tax: '9.00' } },
      'must add up to the amount 100.00, not to 99.00',
    ],
    ['a rule of the field', { ...order, returnUrl: '/thanks' }, 'must be an absolute http or https address'],
    ['no body', undefined, 'is required'],
  ])('and described in JSON’s terms: %s', async (_case, body, detail) => {
    const answer = await api.call('POST', '/v1/payments', {
      ...(body !== undefined && { body }),
      idempotencyKey: 'refused',
    });
    expect(answer.body['errors']).toMatchObject([{ detail }]);
  });

  test('and no refused order leaves a row, except one that only the time refused', async () => {
    expect(await api.db.selectFrom('payments').selectAll().execute()).toEqual([]);
    expect(await api.db.selectFrom('commands').select(['status', 'kind']).execute()).toEqual([
      { status: 'refused', kind: 'create' },
    ]);
  });
});

describe('case 23: a body that is no valid request is refused before any work is done', () => {
  const deep = `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`;
  test.each([
    ['half a document', '{"orderId":', {}, 400],
    ['bytes that are not UTF-8', Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x7d), {}, 400],
    ['a document nested 5,000 deep', deep, {}, 400],
    ['brackets only', '['.repeat(60_000), {}, 400],
    ['more than 64 KiB', JSON.stringify({ ...order, description: 'x'.repeat(70_000) }), {}, 413],
    ['another media type', 'orderId=1', { 'content-type': 'application/x-www-form-urlencoded' }, 415],
    ['no media type', JSON.stringify(order), { 'content-type': '' }, 415],
    ['a compressed body', JSON.stringify(order), { 'content-encoding': 'gzip' }, 415],
  ])('%s', async (_case, body, headers, status) => {
    const answer = await api.call('POST', '/v1/payments', { body, headers, idempotencyKey: 'unreadable' });
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status });
    expect(answer.text).not.toMatch(/\bat .*\.(ts|js)/);
  });

  test('nothing at all', async () => {
    const answer = await api.call('POST', '/v1/payments', { idempotencyKey: 'nothing' });
    expect(answer.status).toBe(422);
  });
});

describe('a list with a wrong query is refused by that parameter’s name', () => {
  test.each([
    ['state=paid', 'state'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=ten', 'limit'],
    ['cursor=forged', 'cursor'],
    ['orderId=a%00b', 'orderId'],
    ['page=2', 'page'],
  ])('%s', async (query, parameter) => {
    const answer = await api.call('GET', `/v1/payments?${query}`);
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ parameter }]);
  });
});

describe('an unknown address', () => {
  test.each([
    ['/v1/refunds/none', 404],
    ['/v1/payments/pay_unknown', 404],
    ['/v1/payments/pay_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b', 404],
    ['/v1/payments/%00', 404],
    ['/v1/payments/%zz', 400],
    [`/v1/payments/${'x'.repeat(600)}`, 414],
  ])('%s is %i and a problem document', async (path, status) => {
    const answer = await api.call('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ status });
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });
});
