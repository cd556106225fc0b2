import { describe, expect, it } from 'vitest';
import { assertSameRequest, bodyHash } from '#api/commands/idempotency.js';
import { orderHash } from '#api/payments/payment-policies.js';
import type { PaymentOrderRequest } from '#api/payments/payment-requests.js';
import { Problem } from '#api/problems/problem.js';
import type { CommandRow } from '#database/schema';

const earlier: CommandRow = {
  id: 'cmd_1',
  environment: 'sandbox',
  application: 'shop',
  idempotency_key: 'key-1',
  body_hash: bodyHash({}),
  kind: 'capture',
  subject_id: 'pay_1',
  parameters: {},
  status: 'succeeded',
  result: null,
  requested_by: 'api-key:k',
  created_at: new Date(0),
  updated_at: new Date(0),
};
const same = { kind: 'capture', bodyHash: bodyHash({}), subjectId: 'pay_1' } as const;

describe('a request under a key that was used', () => {
  it('is the same one when kind, body and payment are', () => {
    expect(() => assertSameRequest(earlier, same)).not.toThrow();
  });

  it.each([
    ['of another kind', { ...same, kind: 'void' }],
    ['with another body', { ...same, bodyHash: bodyHash({ final: true }) }],
    ['for another payment', { ...same, subjectId: 'pay_2' }],
  ] as const)('is another one %s, even if all else is equal', (_what, request) => {
    expect(() => assertSameRequest(earlier, request)).toThrow(Problem);
  });
});

describe('the hash of a body', () => {
  const body = { amount: { minor: 1, currency: 'USD' }, final: true };

  it('is the same in whatever order a library writes its members, and without those that are absent', () => {
    expect(bodyHash({ final: true, amount: { currency: 'USD', minor: 1 }, note: undefined })).toBe(
      bodyHash(body),
    );
  });

  it.each([
    ['another amount', { ...body, amount: { minor: 2, currency: 'USD' } }],
    ['one member less', { amount: body.amount }],
    ['a list in another order', { ...body, final: [1, 2] }],
  ])('differs for %s', (_what, other) => {
    expect(bodyHash(other)).not.toBe(bodyHash(body));
  });

  it('depends on the order of lists, which has a meaning', () => {
    expect(bodyHash([1, 2])).not.toBe(bodyHash([2, 1]));
  });
});

describe('the hash of an order for a payment', () => {
  const order = {
    orderId: 'order-1',
    amount: { minor: 1, currency: 'USD' },
    returnUrl: 'https://shop.example/paid',
    cancelUrl: 'https://shop.example/cart',
  } as PaymentOrderRequest;
  const spelledOut = { capturePolicy: { mode: 'manual' }, expiryPolicy: { action: 'void' } } as const;

  it('is the same if a default policy is spelled out, for which the payment shows what it has', () => {
    expect(orderHash({ ...order, ...spelledOut })).toBe(orderHash(order));
  });

  it.each([{ capturePolicy: { mode: 'automatic' } }, { expiryPolicy: { action: 'capture' } }] as const)(
    'differs for another policy: %j',
    (policy) => {
      expect(orderHash({ ...order, ...policy })).not.toBe(orderHash(order));
    },
  );
});
