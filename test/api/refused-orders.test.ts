import { randomUUID } from 'node:crypto';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { expiryPolicyDay, windowDays } from '#workflows/lifecycle/payment';
import { forAllTests } from '../helpers/shared.js';
import { type Answer, ApiFixture, authorizedState } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 200 }));
afterEach(() => vi.restoreAllMocks());

interface Refused {
  /** Sends the order, or a copy of it. */
  readonly send: (idempotencyKey: string) => Promise<Answer>;
  readonly status: 409 | 422;
  /** From now on the same order would be taken. */
  readonly becomePossible: () => unknown;
}

/** Its first answer tells the caller to ask under another key: a late copy must not be carried out beside that. */
async function staysRefused({ send, status, becomePossible }: Refused): Promise<void> {
  const key = randomUUID();
  const first = await send(key);
  expect(first.status, first.text).toBe(status);
  const subjects = await countSubjects();
  await becomePossible();
  const copy = await send(key);
  // Where the state has moved on, so has what is told of it.
  const { currentState: _then, allowedActions: _allowed, requestId: _request, ...reported } = first.body;
  expect([copy.status, copy.body]).toMatchObject([first.status, reported]);
  expect(copy.headers.get('location')).toBe(first.headers.get('location'));
  expect(await countSubjects()).toBe(subjects);
  expect((await send(randomUUID())).status).toBe(202);
}

function twoHoursPass(): void {
  const now = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 2 * 3_600_000);
}

async function countSubjects(): Promise<number> {
  const tables = ['payments', 'refunds', 'payouts', 'subscriptions'] as const;
  const rows = await Promise.all(tables.map((table) => api.db.selectFrom(table).select('id').execute()));
  return rows.flat().length;
}

const post = async (path: string, body: unknown, idempotencyKey: string) =>
  await api.call('POST', path, { body, idempotencyKey });

const capturedOf = (minor: number) => ({
  ...authorizedState(),
  status: 'partially_captured' as const,
  captures: [{ captureId: 'CAP-1', minor, status: 'completed' as const, final: false }],
});

const items = [
  {
    itemId: 'anna-1',
    receiver: { type: 'EMAIL', value: 'anna@example.com' },
    amount: { value: '7.50', currency: 'USD' },
  },
];

describe('an order that was refused stays refused under its key, even when a copy comes when it would be accepted', () => {
  test('a refund of more than was left', async () => {
    const id = await api.paymentWith(capturedOf(10_00));
    await staysRefused({
      send: async (key) =>
        await post(`/v1/payments/${id}/refunds`, { amount: { value: '25.00', currency: 'USD' } }, key),
      status: 422,
      becomePossible: async () => await api.moveTo(id, capturedOf(40_00)),
    });
  });

  test('a payment that was to be captured after its window', async () => {
    const ordered = Date.now();
    const expiryPolicy = { action: 'expire' };
    const at = new Date(ordered + windowDays * 86_400_000 + 4 * 3_600_000).toISOString();
    await staysRefused({
      send: async (key) => await api.order({ capturePolicy: { mode: 'at', at }, expiryPolicy }, key),
      status: 422,
      becomePossible: twoHoursPass,
    });
  });

  test('a payment that was to be captured on a day on which its hold is voided', async () => {
    const at = new Date(Date.now() + expiryPolicyDay * 86_400_000 + 3_600_000).toISOString();
    await staysRefused({
      send: async (key) => await api.order({ capturePolicy: { mode: 'at', at } }, key),
      status: 422,
      becomePossible: twoHoursPass,
    });
    const other = await api.order({ capturePolicy: { mode: 'at', at }, expiryPolicy: { action: 'capture' } });
    expect(other.status).toBeLessThan(300);
  });

  test('a payout under the reference of another one that later comes to nothing', async () => {
    const reference = `shares-${randomUUID()}`;
    const send = async (key: string) => await post('/v1/payouts', { reference, items }, key);
    const id = String((await send(randomUUID())).body['id']);
    await staysRefused({
      send,
      status: 409,
      becomePossible: async () =>
        await api.db.updateTable('payouts').set({ status: 'declined' }).where('id', '=', id).execute(),
    });
  });

  test('a subscription to a plan that was not active yet', async () => {
    const plan = {
      name: `Coffee ${randomUUID()}`,
      description: 'A bag each month',
      currency: 'USD',
      regular: { frequency: 'MONTH', cycles: 12, amount: '9.00' },
    };
    const startDate = new Date(Date.now() + 86_400_000).toISOString();
    const planId = String((await post('/v1/plans', plan, randomUUID())).body['id']);
    await staysRefused({
      send: async (key) =>
        await post(
          '/v1/subscriptions',
          {
            planId,
            startDate,
            returnUrl: 'https://shop.example/welcome',
            cancelUrl: 'https://shop.example/plans',
          },
          key,
        ),
      status: 422,
      becomePossible: async () =>
        await api.db.updateTable('plans').set({ status: 'active' }).where('id', '=', planId).execute(),
    });
  });

  test('the cancellation of an item that the provider had not shown yet', async () => {
    const id = String((await post('/v1/payouts', { items }, randomUUID())).body['id']);
    await staysRefused({
      send: async (key) => await post(`/v1/payouts/${id}/items/anna-1/cancel`, {}, key),
      status: 409,
      becomePossible: async () => {
        const { state } = await api.db
          .selectFrom('payouts')
          .select('state')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const { openStep: _none, ...rest } = state;
        const settling = { ...rest, status: 'settling', providerBatchId: 'BATCH-1' };
        await api.db
          .updateTable('payouts')
          .set({ status: 'settling', state: JSON.stringify(settling) })
          .where('id', '=', id)
          .execute();
        await api.db
          .updateTable('payout_items')
          .set({ status: 'unclaimed', provider_item_id: 'ITEM-1' })
          .where('payout_id', '=', id)
          .execute();
      },
    });
  });
});

test('the key of a refused order stays with that order', async () => {
  const id = await api.paymentWith(capturedOf(10_00));
  const key = randomUUID();
  const refund = (value: string) =>
    post(`/v1/payments/${id}/refunds`, { amount: { value, currency: 'USD' } }, key);
  await refund('25.00');
  const other = await refund('5.00');
  expect(other).toMatchObject({ status: 409, body: { type: 'urn:payments:problem:idempotency-key-reused' } });
  expect(other.body).not.toHaveProperty('refundId');
});
