import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, order as usualOrder } from './api-fixture.js';
import { limitsOfTests } from '../helpers/limits-of-tests.js';

const waits = 5;
const lists = 4;
const requests = 20;

const api = forAllTests(() =>
  ApiFixture.start({
    callerLimits: { ...limitsOfTests, waits, lists, requests },
    answerWithinMs: 1_000,
  }),
);

const asOther = { apiKey: ApiFixture.bookshopKey };
const itemsOf = (count: number) => `{"items":[${'{},'.repeat(count - 1)}{}]}`;

describe('an API key that exceeds its limits', () => {
  test('has a payout of 2.8 million items refused by their number, and nothing is stored', async () => {
    const answer = await api.call('POST', '/v1/payouts', {
      body: itemsOf(2_790_000),
      idempotencyKey: randomUUID(),
    });
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/items', detail: 'must hold at most 10000 items' }] },
    });
    expect(await api.db.selectFrom('payouts').select('id').execute()).toEqual([]);
  });

  test.each(['/v1/payments', '/v1/payments/{id}/void'])(
    'gets a hundred errors for 6,200 unknown fields: POST %s',
    async (path) => {
      const { body } = await api.order();
      const unknown = Object.fromEntries(Array.from({ length: 6_200 }, (_, nth) => [`k${nth}`, 1]));
      const answer = await api.call('POST', path.replace('{id}', String(body['id'])), {
        body: JSON.stringify(unknown),
        idempotencyKey: randomUUID(),
      });
      expect(answer.status).toBe(422);
      expect(answer.body['errors']).toHaveLength(100);
    },
  );

  test('has its excess long polls refused; its orders and other keys’ requests are answered', async () => {
    const { body } = await api.order();
    const path = `/v1/payments/${String(body['id'])}?wait=60`;
    const givenUp = new AbortController();
    const polls = Array.from({ length: 100 }, () => poll(path, givenUp.signal));
    // Those that wait are answered only once they give up.
    const refused = await firstOf(polls, 100 - waits);
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([429]));
    expect(refused[0]).toMatchObject({ retryAfter: '1' });

    expect((await api.call('GET', '/v1/payments', asOther)).status).toBe(200);
    expect((await api.call('GET', '/v1/payments')).status).toBe(200);
    expect((await api.order()).status).toBeLessThan(300);
    givenUp.abort();
    await Promise.allSettled(polls);
    // Its share is given back when its callers have gone.
    const shorter = path.replace('wait=60', 'wait=1');
    await expect.poll(async () => (await api.call('GET', shorter)).status).toBe(200);
  });

  test('has its excess requests refused with Retry-After; other keys are served at the same time', async () => {
    const orders = Array.from({ length: 3 * requests }, () => api.order());
    const other = await api.call('GET', '/v1/payments', asOther);
    const answers = await Promise.all(orders);
    expect(other.status).toBe(200);
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status < 300).length).toBeGreaterThanOrEqual(requests);
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
    expect(refused[0]?.body).toMatchObject({ type: 'urn:payments:problem:too-many-requests' });
  });

  test('has its excess lists refused; its reads and other keys’ lists are answered', async () => {
    const { body } = await api.order();
    const asked = Array.from({ length: 40 }, () => api.call('GET', '/v1/payments?limit=100'));
    const read = await api.call('GET', `/v1/payments/${String(body['id'])}`);
    const other = await api.call('GET', '/v1/payments', asOther);
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect([read.status, other.status]).toEqual([200, 200]);
    expect(new Set(statuses)).toEqual(new Set([200, 429]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(lists);
    expect((await api.call('GET', '/v1/payments')).status).toBe(200);
  });

  test('sends one long body at a time; a short payout passes beside it', async () => {
    const first = await begunPayout();
    const second = await api.call('POST', '/v1/payouts', {
      body: itemsOf(50_000),
      idempotencyKey: randomUUID(),
    });
    expect(second.status).toBe(429);
    const short = await api.call('POST', '/v1/payouts', {
      body: { items: [] },
      idempotencyKey: randomUUID(),
    });
    expect(short.status).toBe(422);
    first.destroy();
    await expect
      .poll(
        async () =>
          (await api.call('POST', '/v1/payouts', { body: itemsOf(50_000), idempotencyKey: randomUUID() }))
            .status,
      )
      .toBe(422);
  });
});

test('counts an order as a request, whatever its query says', async () => {
  const patient = await ApiFixture.start({
    callerLimits: { ...limitsOfTests, requests: 1 },
    answerWithinMs: 8_000,
  });
  const first = patient.order();
  await expect.poll(async () => (await patient.call('GET', '/v1/payments/none')).status).toBe(429);
  const second = await patient.call('POST', '/v1/payments?wait=1', {
    body: usualOrder,
    idempotencyKey: randomUUID(),
  });
  expect(second.status).toBe(429);
  expect((await first).status).toBeLessThan(300);
  await patient.close();
});

test('keeps the places of requests whose caller disconnected until their work is done', async () => {
  const patient = await ApiFixture.start({
    callerLimits: { ...limitsOfTests, waits, lists, requests: 3 },
    answerWithinMs: 8_000,
  });
  const look = async () => (await patient.call('GET', '/v1/payments/pay_unknown')).status;
  const order = (signal: AbortSignal) =>
    fetch(`${patient.url}/v1/payments`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ApiFixture.shopKey}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      },
      body: JSON.stringify(usualOrder),
      signal,
    });
  const hangsUp = new AbortController();
  const orders = Array.from({ length: 3 }, () => order(hangsUp.signal));
  await expect.poll(look).toBe(429);
  const accepted = () => patient.db.selectFrom('payments').select('id').execute();
  await expect.poll(async () => (await accepted()).length).toBe(3);
  hangsUp.abort();
  await Promise.allSettled(orders);
  expect(await look()).toBe(429);
  await expect.poll(look).toBe(404);
  await patient.close();
});

interface Answered {
  readonly status: number;
  readonly retryAfter: string | null;
}

async function poll(path: string, signal: AbortSignal): Promise<Answered> {
  const headers = { authorization: `Bearer ${ApiFixture.shopKey}` };
  const answer = await fetch(api.url + path, { headers, signal });
  return { status: answer.status, retryAfter: answer.headers.get('retry-after') };
}

/** The first of them that are answered, in the order of their answers. */
async function firstOf(all: readonly Promise<Answered>[], count: number): Promise<Answered[]> {
  const answered: Answered[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<Answered[]>();
  for (const each of all) void each.then(note, reject);
  return await promise;

  function note(answer: Answered): void {
    if (answered.push(answer) === count) resolve(answered.slice());
  }
}

/** A long body of which nothing but the beginning ever comes. Resolves once the API has its headers. */
async function begunPayout(): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  socket.write(
    [
      'POST /v1/payouts HTTP/1.1',
      'host: api',
      `authorization: Bearer ${ApiFixture.shopKey}`,
      'content-length: 8000000',
      'expect: 100-continue',
      '',
      '',
    ].join('\r\n'),
  );
  await once(socket, 'data');
  return socket;
}
