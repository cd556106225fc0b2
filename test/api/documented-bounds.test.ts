import { randomUUID } from 'node:crypto';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormatsModule from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, order } from './api-fixture.js';

/** Bodies that the document once allowed and the API refused, found by a public tester. */

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));
let ajv: Ajv2020;
beforeAll(async () => {
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  ajv = new Ajv2020({ strict: false, allErrors: true, formats: { base64: true } });
  (addFormatsModule as unknown as typeof addFormatsModule.default)(ajv);
  ajv.addSchema(body, 'document');
});

const regular = { frequency: 'MONTH', cycles: 12, amount: '9.00' };
const plan = { name: 'Magazine', description: 'Monthly', currency: 'USD', regular };

test.each([
  [
    'an amount of nothing',
    'PaymentOrder',
    '/v1/payments',
    { ...order, amount: { value: '0.00', currency: 'USD' } },
  ],
  [
    'letters that are no currency',
    'PaymentOrder',
    '/v1/payments',
    { ...order, amount: { value: '1', currency: 'QQQ' } },
  ],
  [
    'an address without a scheme of the web',
    'PaymentOrder',
    '/v1/payments',
    { ...order, returnUrl: 'ftp://shop.example/' },
  ],
  [
    'a web address without a host',
    'PaymentOrder',
    '/v1/payments',
    { ...order, returnUrl: 'https:shop.example' },
  ],
  [
    'a regular phase that costs nothing',
    'PlanOrder',
    '/v1/plans',
    { ...plan, regular: { ...regular, amount: '0' } },
  ],
  ['a trial without cycles', 'PlanOrder', '/v1/plans', { ...plan, trial: { ...regular, cycles: 0 } }],
  [
    'a refund of a capture and of a sale',
    'RefundRequest',
    `/v1/payments/pay_${'0'.repeat(36)}/refunds`,
    { captureId: 'CAP-1', saleId: 'SALE-1' },
  ],
])('%s is refused by the document as by the API', async (_case, component, path, body) => {
  const validate = ajv.getSchema(`document#/components/schemas/${component}`);
  expect(validate?.(body)).toBe(false);
  expect((await api.call('POST', path, { body, idempotencyKey: randomUUID() })).status).toBe(422);
});

const allows = (component: string, body: object) =>
  ajv.getSchema(`document#/components/schemas/${component}`)?.(body);

test('what stays, or is free, may be nothing', () => {
  expect(allows('SetBalanceRequest', { balance: { value: '0.00', currency: 'USD' } })).toBe(true);
  expect(
    allows('PlanOrder', { ...plan, trial: { ...regular, amount: '0' }, regular: { ...regular, cycles: 0 } }),
  ).toBe(true);
});
