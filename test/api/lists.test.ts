import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ShownRefund } from '#api/refunds/refund-answers.js';
import { StoredRefund } from '../database/stored-refund.js';
import { collectPayments } from '../database/stored-subscription.js';
import { forAllTests } from '../helpers/shared.js';
import { refund } from '../lifecycle/refund/sample-refunds.js';
import { ApiFixture, authorizedState } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));

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

interface Listed {
  readonly id: unknown;
}

async function listed<Row extends Listed>(of: string, query: string, apiKey: string): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | null = null;
  do {
    const from: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { body } = await api.call('GET', `/v1/${of}?${query}${from}`, { apiKey });
    rows.push(...(body['data'] as Row[]));
    cursor = body['nextCursor'] as string | null;
  } while (cursor !== null);
  return rows;
}

async function idsOf(of: string, query: string, apiKey = ApiFixture.shopKey): Promise<unknown[]> {
  return (await listed(of, query, apiKey)).map(({ id }) => id);
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
    const ids = await idsOf(of, 'limit=2');
    expect(ids.slice(0, 3)).toEqual(mine.toSorted().toReversed());
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).not.toContain(theirs);
    expect(await idsOf(of, 'limit=2', ApiFixture.bookshopKey)).toContain(theirs);
  });

  test('can be filtered by status', async () => {
    const [ended, waiting] = [await order(ApiFixture.shopKey), await order(ApiFixture.shopKey)];
    await api.db.updateTable(of).set({ status: end }).where('id', '=', ended).execute();
    expect(await idsOf(of, `state=${end}`)).toEqual([ended]);
    const others = await idsOf(of, 'state=creating');
    expect(others).toContain(waiting);
    expect(others).not.toContain(ended);
  });
});

test('the list of subscriptions can be filtered by plan', async () => {
  const one = await orderSubscription(ApiFixture.shopKey);
  await orderSubscription(ApiFixture.shopKey);
  const { body } = await api.call('GET', `/v1/subscriptions/${one}`);
  expect(await idsOf('subscriptions', `planId=${String(body['planId'])}`)).toEqual([one]);
});

test('the payments of a subscription come page by page, oldest first, and no page is empty', async () => {
  const subscriptionId = await orderSubscription(ApiFixture.shopKey);
  const identity = { environment: 'sandbox', application: 'shop', subscriptionId };
  await collectPayments(
    api.db,
    identity,
    ['SALE-1', '2030-01-01T00:00:00Z'],
    ['SALE-2', '2030-02-01T00:00:00Z'],
    // Of one instant: they are on one page.
    ['SALE-3', '2030-02-01T00:00:00Z'],
    ['SALE-4', '2030-03-01T00:00:00Z'],
  );
  const pages: unknown[][] = [];
  let next: string | null = '';
  while (next !== null) {
    const path: string = `/v1/subscriptions/${subscriptionId}/payments?limit=1${next}`;
    const { body } = await api.call('GET', path);
    expect(body['collected']).toEqual({ value: '20.00', currency: 'USD' });
    pages.push((body['data'] as Listed[]).map(({ id }) => id));
    const cursor = body['nextCursor'] as string | null;
    next = cursor === null ? null : `&cursor=${cursor}`;
  }
  expect(pages).toEqual([['SALE-1'], ['SALE-2', 'SALE-3'], ['SALE-4']]);
});

function statusesOf({ timeline }: ShownRefund): string[] {
  return timeline.map(({ version, to }) => `${version} ${to}`);
}

test('the list of refunds, newest first whatever their ids, shows each with its timeline and payment, to its own application only', async () => {
  const paymentId = await api.paymentWith(authorizedState());
  const owner = { environment: 'sandbox', application: 'shop' };
  const [a, b, c] = ['A', 'B', 'C'].map((name) => new StoredRefund(api.db, owner, paymentId, `REF-${name}`));
  for (const stored of [a!, b!, c!]) await stored.write(refund('pending'), 2);
  await b!.write(refund('pending'), 3);
  await c!.write(refund('needs_review'), 3);
  await c!.write(refund('pending'), 4);

  const shown = await listed<ShownRefund>('refunds', 'state=pending&limit=2', ApiFixture.shopKey);
  expect(shown.map(({ id }) => id)).toEqual([c!.id, b!.id, a!.id]);
  expect(Object.fromEntries(shown.map((each) => [each.id, statusesOf(each)]))).toEqual({
    [a!.id]: ['2 pending'],
    [b!.id]: ['2 pending', '3 pending'],
    [c!.id]: ['2 pending', '3 needs_review', '4 pending'],
  });
  const href = `https://payments.example/v1/payments/${paymentId}`;
  for (const { links } of shown) expect(links).toMatchObject([{ rel: 'self' }, { rel: 'payment', href }]);
  expect(await idsOf('refunds', 'limit=2', ApiFixture.bookshopKey)).toEqual([]);
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

test('the list of drift separates resolved from open drift, and shows an application its own only', async () => {
  const rows = [drift('shop', null), drift('shop', new Date()), drift('shop', null), drift('bookshop', null)];
  const stored = await api.db.insertInto('drift').values(rows).returning('id').execute();
  const [first, resolved, last] = stored.map(({ id }) => id);
  expect(await idsOf('drift', 'limit=2')).toEqual([last, resolved, first]);
  expect(await idsOf('drift', 'limit=1&resolved=false')).toEqual([last, first]);
  expect(await idsOf('drift', 'resolved=true')).toEqual([resolved]);
});
