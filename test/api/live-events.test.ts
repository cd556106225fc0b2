import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { until } from '../helpers/until.js';
import { ApiFixture, authorizedState } from './api-fixture.js';
import { Listener } from './event-listener.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await ApiFixture.start({ answerWithinMs: 1 });
});
afterAll(async () => {
  await api.close();
});

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

test('a listener that takes nothing is cut off, and others go on', async () => {
  const { EventStream } = await import('#api/events/event-stream.js');
  let ended = 0;
  const stream = new EventStream(
    { environment: 'sandbox', application: 'shop' },
    undefined,
    () => (ended += 1),
  );
  for (let n = 0; n < 30 && !stream.hasEnded; n += 1) {
    stream.send({
      written_by: '1',
      sequence: n,
      type: 'payment.captured',
      payload: 'x'.repeat(100_000),
    } as never);
  }
  expect(stream.hasEnded).toBe(true);
  await until(
    async () => ended,
    (count) => count === 1,
    'the end of the stream',
  );
});
