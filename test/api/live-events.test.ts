import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, configuration, order } from './api-fixture.js';
import { type HeardEvent, Listener } from './event-listener.js';
import { keepLongEvents } from './long-events.js';

const api = forAllTests(() => ApiFixture.start({ answerWithinMs: 1 }));

const captured = { ...authorizedState(), status: 'captured' } as const;

async function listen(path = '/v1/events', headers: Record<string, string> = {}): Promise<Listener> {
  return await Listener.open(`${api.url}${path}`, {
    authorization: `Bearer ${ApiFixture.shopKey}`,
    ...headers,
  });
}

test('an event comes with its type, its body and an id, without any endpoint', async () => {
  const listener = await listen();
  const id = await api.paymentWith(authorizedState());
  const [event] = await listener.has(1, [id]);
  expect(event).toMatchObject({
    type: 'payment.authorized',
    data: { type: 'payment.authorized', data: { id } },
  });
  listener.close();
});

test('a payment’s stream has only its own events, and another application’s has none', async () => {
  const id = await api.paymentWith({ status: 'awaiting_approval' });
  const own = await listen(`/v1/payments/${id}/events`);
  const all = await listen();
  const others = await listen('/v1/events', { authorization: `Bearer ${ApiFixture.bookshopKey}` });
  const other = await api.paymentWith(authorizedState());
  await api.moveTo(id, authorizedState());
  await all.has(2, [id, other]);
  expect(new Set((await own.has(1)).map(({ data }) => data.data['id']))).toEqual(new Set([id]));
  expect(others.events).toEqual([]);
  for (const listener of [own, all, others]) listener.close();
});

describe('a listener that resumes', () => {
  test('misses nothing of what happened while it was away, and gets it in order', async () => {
    const before = await listen();
    const id = await api.paymentWith(authorizedState());
    const [seen] = await before.has(1, [id]);
    before.close();
    await api.moveTo(id, captured);
    const missed: string[] = [id];
    for (let n = 0; n < 3; n += 1) missed.push(await api.paymentWith(authorizedState()));
    const after = await listen('/v1/events', { 'last-event-id': seen?.id ?? '' });
    const live = await api.paymentWith(authorizedState());
    const events = await after.has(5);
    expect(events.map(({ data }) => data.data['id'])).toEqual([...missed, live]);
    after.close();
  });

  test('that had no event yet misses nothing either', async () => {
    const before = await listen();
    before.close();
    const id = await api.paymentWith(authorizedState());
    const after = await listen('/v1/events', { 'last-event-id': before.lastEventId });
    expect((await after.has(1, [id])).map(({ type }) => type)).toEqual(['payment.authorized']);
    after.close();
  });

  test('after a restart of the API misses nothing', async () => {
    const first = await ApiFixture.start({ databaseUrl: api.databaseUrl });
    const authorization = `Bearer ${ApiFixture.shopKey}`;
    const before = await Listener.open(`${first.url}/v1/events`, { authorization });
    await first.close();
    await before.ended;
    const id = await api.paymentWith(authorizedState());
    const next = await ApiFixture.start({ databaseUrl: api.databaseUrl });
    const after = await Listener.open(`${next.url}/v1/events`, {
      authorization,
      'last-event-id': before.lastEventId,
    });
    expect((await after.has(1, [id])).map(({ type }) => type)).toEqual(['payment.authorized']);
    after.close();
    await next.close();
  });

  test('at a place that was lost in a restore of the database gets what happens from now on', async () => {
    const after = await listen('/v1/events', { 'last-event-id': '9000000000000000000-1' });
    const id = await api.paymentWith(authorizedState());
    expect((await after.has(1, [id])).map(({ type }) => type)).toEqual(['payment.authorized']);
    after.close();
  });

  test('is not shown what an open transaction hides, before what is older', async () => {
    const listener = await listen();
    const other = await api.paymentWith({ status: 'awaiting_approval' });
    await listener.has(1, [other]);
    const release = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    // It takes its place in the order now, and is committed later.
    const slow = api.db.transaction().execute(async (trx) => {
      await trx
        .insertInto('notifications')
        .values({ environment: 'sandbox', application: 'shop', type: 'payment.pending', subject_id: other })
        .execute();
      begun.resolve();
      await release.promise;
    });
    await begun.promise;
    const later = await api.paymentWith(authorizedState());
    release.resolve();
    await slow;
    const events = await listener.has(3, [other, later]);
    expect(events.slice(1).map(({ type }) => type)).toEqual(['payment.pending', 'payment.authorized']);
    listener.close();
  });
});

test.each(['evt_1', '1', '-1-2', '1-99999999999999999999', 'a-b'])(
  'Last-Event-ID %s is refused by its name',
  async (lastEventId) => {
    const answer = await api.call('GET', '/v1/events', { headers: { 'last-event-id': lastEventId } });
    expect(answer.status).toBe(400);
    expect(answer.body['errors']).toMatchObject([{ header: 'Last-Event-ID' }]);
  },
);

const subjectsOf = (events: readonly HeardEvent[]) => events.map(({ data }) => data.data['id']);

describe('bodies that are long together', () => {
  test('come to a listener that resumes', async () => {
    const before = await listen();
    before.close();
    const subjects = await keepLongEvents(api.db, 12);
    const after = await listen('/v1/events', { 'last-event-id': before.lastEventId });
    expect(subjectsOf(await after.has(12, subjects))).toEqual(subjects);
    after.close();
  });

  test('come to those that listen, and what follows comes after them', async () => {
    const listeners = await Promise.all([listen(), listen()]);
    const subjects = await keepLongEvents(api.db, 12);
    const later = await api.paymentWith(authorizedState());
    for (const listener of listeners) {
      expect(subjectsOf(await listener.has(13, [...subjects, later]))).toEqual([...subjects, later]);
      listener.close();
    }
  });
});

test('an event that cannot be made does not delay the others', async () => {
  const before = await listen();
  before.close();
  const listeners = [
    await listen(),
    await listen('/v1/events', { authorization: `Bearer ${ApiFixture.bookshopKey}` }),
  ];
  const unmade = { environment: 'sandbox', type: 'payment.captured', subject_id: `pay_${randomUUID()}` };
  const shops = ['shop', 'bookshop'] as const;
  await api.db
    .insertInto('notifications')
    .values(shops.map((application) => ({ ...unmade, application })))
    .execute();
  const { body } = await api.call('POST', '/v1/payments', {
    apiKey: ApiFixture.bookshopKey,
    idempotencyKey: randomUUID(),
    body: order,
  });
  const ids = [await api.paymentWith(authorizedState()), String(body['id'])];
  await api.moveTo(String(ids[1]), authorizedState());
  listeners.push(await listen('/v1/events', { 'last-event-id': before.lastEventId }));
  for (const listener of listeners) {
    expect(await listener.has(1, ids)).toHaveLength(1);
    listener.close();
  }
});

test('a key that expires gets no event afterwards, and its stream ends', async () => {
  const key = randomBytes(24).toString('hex');
  const sha256 = createHash('sha256').update(key).digest('hex');
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const [shop] = configuration('').apiKeys;
  if (!shop) throw new Error('no key');
  const own = await ApiFixture.start({
    databaseUrl: api.databaseUrl,
    apiKeys: [{ ...shop, id: 'ending', sha256, expiresAt }],
  });
  const listener = await Listener.open(`${own.url}/v1/events`, { authorization: `Bearer ${key}` });
  const heard = await api.paymentWith(authorizedState());
  await listener.has(1, [heard]);
  const now = Date.now;
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now() + 3_600_000);
  onTestFinished(() => clock.mockRestore());
  const unheard = await api.paymentWith(authorizedState());
  await listener.ended;
  expect(listener.events.filter(({ data }) => data.data['id'] === unheard)).toEqual([]);
  await own.close();
});
