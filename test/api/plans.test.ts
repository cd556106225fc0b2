import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

const terms = {
  name: 'Coffee',
  description: 'A bag each month',
  currency: 'USD',
  regular: { frequency: 'MONTH', cycles: 12, amount: '9.00' },
};

const order = async (change: Record<string, unknown> = {}, idempotencyKey: string = randomUUID()) =>
  await api.call('POST', '/v1/plans', { body: { ...terms, ...change }, idempotencyKey });

const plans = async () => await api.db.selectFrom('plans').select(['id', 'status']).execute();

describe('an invalid plan', () => {
  const regular = terms.regular;
  it.each([
    [{ regular: { ...regular, amount: '12345678.00' } }, '/regular/amount'],
    [{ regular: { ...regular, tax: '12345678.00' } }, '/regular/tax'],
    [{ regular: { ...regular, shipping: '12345678.00' } }, '/regular/shipping'],
    [{ regular: { ...regular, interval: 0 } }, '/regular/interval'],
    [{ trial: { ...regular, amount: '99999999.99' } }, '/trial/amount'],
    [{ setupFee: '99999999.99' }, '/setupFee'],
    [{ name: '   ' }, '/name'],
    [{ name: 'x'.repeat(129) }, '/name'],
  ])(
    'is refused with the field that is wrong and the reason, and nothing is stored',
    async (change, pointer) => {
      const before = await plans();
      const answer = await order(change);
      expect([answer.status, answer.body['errors']]).toEqual([
        422,
        [{ pointer, detail: expect.stringMatching(/^must /) }],
      ]);
      expect(await plans()).toEqual(before);
    },
  );
});

describe('a plan with the content of an existing one', () => {
  it('is a new plan once the existing one was deactivated, even if that one becomes active again', async () => {
    const [first, again] = [await order(), await order()];
    const firstId = String(first.body['id']);
    const self = `https://payments.example/v1/plans/${firstId}`;
    expect(first.body['links']).toContainEqual({ rel: 'self', href: self, method: 'GET' });
    expect(first.headers.get('location')).toBe(self);
    expect(again.body['id']).toBe(firstId);
    const become = async (status: 'inactive' | 'active') =>
      await api.db.updateTable('plans').set({ status }).where('id', '=', firstId).execute();

    await become('inactive');
    const others = await Promise.all([order(), order(), order()]);
    const otherIds = new Set(others.map(({ body }) => body['id']));
    expect(otherIds.size).toBe(1);
    expect(otherIds).not.toContain(firstId);

    await become('active');
    expect((await order()).body['id']).toBe([...otherIds][0]);
  });
});

describe('a key that was used for a plan', () => {
  it('is refused for another plan with 409 and the plan that it belongs to', async () => {
    const key = randomUUID();
    const { body } = await order({ name: 'Tea' }, key);
    const other = await order({ name: 'Cocoa' }, key);
    expect(other).toMatchObject({ status: 409, body: { planId: body['id'] } });
    expect(other.body).not.toHaveProperty('paymentId');
  });
});
