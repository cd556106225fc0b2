import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { type Answer, ApiFixture, authorizedState, hour } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));

async function found(query: Record<string, string>, of = 'payments'): Promise<unknown[]> {
  const answer = await api.call('GET', `/v1/${of}?${String(new URLSearchParams(query))}`);
  expect(answer.status, answer.text).toBe(200);
  return (answer.body['data'] as { readonly id: string }[]).map(({ id }) => id);
}

const idOf = ({ body }: Answer) => String(body['id']);
const costing = async (value: string, currency = 'USD') =>
  idOf(await api.order({ orderId: 'filtered', amount: { value, currency } }));

test('the list of refunds is filtered by amount, and that of payouts', async () => {
  const captures = [{ captureId: 'CAP-1', minor: 10_000, status: 'completed', final: false }] as const;
  const payment = await api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
  const refund = async (value: string) => {
    const body = { amount: { value, currency: 'USD' } };
    const { body: made } = await api.call('POST', `/v1/payments/${payment}/refunds`, {
      body,
      idempotencyKey: randomUUID(),
    });
    return String(made['id']);
  };
  const payout = async (value: string, currency: string) => {
    const receiver = { type: 'EMAIL', value: 'anna@example.com' };
    const items = [{ itemId: 'anna-1', receiver, amount: { value, currency } }];
    return idOf(await api.call('POST', '/v1/payouts', { body: { items }, idempotencyKey: randomUUID() }));
  };
  const refunds = [await refund('7.01'), await refund('7.02'), await refund('7.03')] as const;
  const some = { currency: 'USD', minAmount: '7.02', maxAmount: '7.02' };
  expect(await found(some, 'refunds')).toEqual([refunds[1]]);
  expect(await found({ currency: 'EUR', minAmount: '7.02' }, 'refunds')).toEqual([]);
  const [cheap, dear, euros] = [
    await payout('7.01', 'USD'),
    await payout('7.02', 'USD'),
    await payout('7.02', 'EUR'),
  ];
  expect(await found(some, 'payouts')).toEqual([dear]);
  expect(await found({ currency: 'USD', maxAmount: '7.01' }, 'payouts')).toEqual([cheap]);
  expect(await found({ currency: 'EUR' }, 'payouts')).toEqual([euros]);
});

describe('the list of payments is filtered by', () => {
  test('several states, whichever way they are written', async () => {
    const authorized = await api.paymentWith(authorizedState());
    const captured = await api.paymentWith({ ...authorizedState(), status: 'captured' });
    const other = await api.paymentWith({ status: 'declined' });
    for (const query of ['state=authorized,captured', 'state=authorized&state=captured']) {
      const { body } = await api.call('GET', `/v1/payments?${query}`);
      const ids = (body['data'] as { readonly id: string }[]).map(({ id }) => id);
      expect(ids).toEqual(expect.arrayContaining([authorized, captured]));
      expect(ids).not.toContain(other);
    }
  });

  test('a range of amounts in one currency', async () => {
    const [small, middle, large] = [await costing('1.00'), await costing('2.00'), await costing('3.00')];
    const yen = await costing('200', 'JPY');
    const range = { orderId: 'filtered', currency: 'USD' };
    expect(await found({ ...range, minAmount: '2', maxAmount: '2.00' })).toEqual([middle]);
    expect(await found({ ...range, minAmount: '1.01' })).toEqual([large, middle]);
    expect(await found({ ...range, maxAmount: '1.99' })).toEqual([small]);
    expect(await found({ orderId: 'filtered', currency: 'JPY' })).toEqual([yen]);
  });

  test('the instant of creation', async () => {
    const first = await costing('4.00');
    const { body } = await api.call('GET', `/v1/payments/${first}`);
    const createdFrom = String(body['createdAt']);
    const second = await costing('4.00');
    expect(await found({ createdFrom, orderId: 'filtered' })).toEqual([second, first]);
    expect(await found({ createdTo: createdFrom, orderId: 'filtered' })).not.toContain(first);
  });

  test('an id of the provider', async () => {
    const id = await api.paymentWith(authorizedState());
    const { environment, application } = { environment: 'sandbox', application: 'shop' };
    await api.db
      .insertInto('resources')
      .values({ environment, application, resource_id: 'CAP-77', kind: 'capture', subject_id: id })
      .execute();
    expect(await found({ providerId: 'CAP-77' })).toEqual([id]);
    expect(await found({ providerId: 'CAP-78' })).toEqual([]);
  });

  test('the end of the hold, as long as the payment is open', async () => {
    const now = Date.now();
    const ending = await api.paymentWith(authorizedState(now - 28 * 24 * hour));
    const fresh = await api.paymentWith(authorizedState(now));
    const ended = await api.paymentWith({ ...authorizedState(now - 28 * 24 * hour), status: 'voided' });
    const ids = await found({ expiringBefore: new Date(now + 3 * 24 * hour).toISOString(), limit: '100' });
    expect(ids).toContain(ending);
    expect(ids).not.toContain(fresh);
    expect(ids).not.toContain(ended);
  });
});

test.each([
  ['an unknown filter', 'colour=blue', 'colour'],
  ['an unknown state', 'state=authorized,golden', 'state'],
  ['a malformed cursor', 'cursor=abc', 'cursor'],
  ['a malformed instant', 'createdFrom=yesterday', 'createdFrom'],
  ['an amount without a currency', 'minAmount=1.00', 'minAmount'],
  ['an amount that the currency does not have', 'minAmount=1.50&currency=JPY', 'minAmount'],
])('%s is refused by its name, never an empty list', async (_case, query, parameter) => {
  const { status, body } = await api.call('GET', `/v1/payments?${query}`);
  expect([status, body['code']]).toEqual([422, 'validation_failed']);
  expect(body['errors']).toMatchObject([{ parameter }]);
});

test('a capture is a resource of its own', async () => {
  const captures = [{ captureId: 'CAP-1', minor: 3_000, status: 'completed', final: false }] as const;
  const id = await api.paymentWith({ ...authorizedState(), status: 'partially_captured', captures });
  const shown = {
    id: 'CAP-1',
    amount: { value: '30.00', currency: 'USD' },
    state: 'completed',
    final: false,
  };
  const path = `/v1/payments/${id}/captures`;
  expect((await api.call('GET', path)).body).toEqual({ data: [shown], nextCursor: null });
  expect((await api.call('GET', `${path}/CAP-1`)).body).toEqual(shown);
  expect((await api.call('GET', `${path}/CAP-2`)).status).toBe(404);
  for (const address of [path, `${path}/CAP-1`])
    expect((await api.call('GET', address, { apiKey: ApiFixture.bookshopKey })).status).toBe(404);
});
