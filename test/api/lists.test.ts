import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiFixture } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await ApiFixture.start({ answerWithinMs: 1 });
});
afterAll(async () => {
  await api.close();
});

type Order = (apiKey: string) => Promise<string>;

async function post(path: string, body: unknown, apiKey: string): Promise<string> {
  const answer = await api.call('POST', path, { body, apiKey, idempotencyKey: randomUUID() });
  expect(answer.status, answer.text).toBeLessThan(300);
  return String(answer.body['id']);
}

const orderPlan: Order = async (apiKey) => {
  const regular = { frequency: 'MONTH', cycles: 12, amount: '9.00' };
  return await post(
    '/v1/plans',
    { name: randomUUID(), description: 'Coffee', currency: 'USD', regular },
    apiKey,
  );
};

const orderPayout: Order = async (apiKey) => {
  const receiver = { type: 'EMAIL', value: 'anna@example.com' };
  const items = [{ itemId: 'anna-1', receiver, amount: { value: '7.50', currency: 'USD' } }];
  return await post('/v1/payouts', { items }, apiKey);
};

const orderSubscription: Order = async (apiKey) => {
  const planId = await orderPlan(apiKey);
  await api.db.updateTable('plans').set({ status: 'active' }).where('id', '=', planId).execute();
  const addresses = { returnUrl: 'https://shop.example/welcome', cancelUrl: 'https://shop.example/plans' };
  const startDate = new Date(Date.now() + 86_400_000).toISOString();
  return await post('/v1/subscriptions', { planId, startDate, ...addresses }, apiKey);
};

async function idsOf(of: string, query: string, apiKey = ApiFixture.shopKey): Promise<unknown[]> {
  const ids: unknown[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await api.call('GET', `/v1/${of}?${query}${from}`, { apiKey });
    ids.push(...(body[of] as { id: unknown }[]).map(({ id }) => id));
    cursor = body['nextCursor'] as string | null;
  } while (cursor !== null);
  return ids;
}

describe.each([
  { of: 'plans', order: orderPlan, end: 'inactive' },
  { of: 'payouts', order: orderPayout, end: 'denied' },
  { of: 'subscriptions', order: orderSubscription, end: 'expired' },
] as const)('the list of $of', ({ of, order, end }) => {
  test('comes page by page, newest first, and shows an application its own only', async () => {
    const mine: string[] = [];
    for (let i = 0; i < 3; i += 1) mine.push(await order(ApiFixture.shopKey));
    const theirs = await order(ApiFixture.bookshopKey);
    const listed = await idsOf(of, 'limit=2');
    expect(listed.slice(0, 3)).toEqual(mine.toSorted().toReversed());
    expect(new Set(listed).size).toBe(listed.length);
    expect(listed).not.toContain(theirs);
    expect(await idsOf(of, 'limit=2', ApiFixture.bookshopKey)).toContain(theirs);
  });

  test('is narrowed to where they stand', async () => {
    const [ended, waiting] = [await order(ApiFixture.shopKey), await order(ApiFixture.shopKey)];
    await api.db.updateTable(of).set({ status: end }).where('id', '=', ended).execute();
    expect(await idsOf(of, `state=${end}`)).toEqual([ended]);
    const others = await idsOf(of, 'state=creating');
    expect(others).toContain(waiting);
    expect(others).not.toContain(ended);
  });
});

test('the list of subscriptions is narrowed to a plan', async () => {
  const one = await orderSubscription(ApiFixture.shopKey);
  await orderSubscription(ApiFixture.shopKey);
  const { body } = await api.call('GET', `/v1/subscriptions/${one}`);
  expect(await idsOf('subscriptions', `planId=${String(body['planId'])}`)).toEqual([one]);
});

const drift = (application: string, resolved_at: Date | null) => ({
  environment: 'sandbox',
  application,
  subject_id: `pay_${randomUUID()}`,
  field: 'run',
  ours: 'open',
  theirs: 'none',
  resolved_at,
});

test('the list of drift tells what is resolved from what is not, to its own application only', async () => {
  const rows = [drift('shop', null), drift('shop', new Date()), drift('shop', null), drift('bookshop', null)];
  const stored = await api.db.insertInto('drift').values(rows).returning('id').execute();
  const [first, resolved, last] = stored.map(({ id }) => id);
  expect(await idsOf('drift', 'limit=2')).toEqual([last, resolved, first]);
  expect(await idsOf('drift', 'limit=1&resolved=false')).toEqual([last, first]);
  expect(await idsOf('drift', 'resolved=true')).toEqual([resolved]);
});
