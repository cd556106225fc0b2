import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createDatabase } from '../helpers/database.js';
import { until } from '../helpers/until.js';
import { ApiFixture, openTemporal, order, temporalAt, webhookSecret } from './api-fixture.js';
import { TcpProxy } from './tcp-proxy.js';

const event = () => ({
  id: `WH-${randomUUID()}`,
  trigger_event: 'PAYMENT.CAPTURE.COMPLETED',
  resource_type: 'capture',
  resource: { id: 'CAP-1', state: 'completed' },
});

/** Every kind of request that needs the database. */
async function everyRequest(api: ApiFixture) {
  const id = 'pay_01jz3v8q5k2m4n6p8r0s1t3v5w7x9y1z2a4b';
  const idempotencyKey = randomUUID();
  return await Promise.all([
    api.call('POST', '/v1/payments', { body: order, idempotencyKey }),
    api.call('GET', '/v1/payments'),
    api.call('GET', `/v1/payments/${id}`),
    api.call('POST', `/v1/payments/${id}/captures`, { idempotencyKey }),
    api.call('POST', `/v1/payments/${id}/void`, { idempotencyKey }),
    api.call('GET', `/v1/payments/${id}/return?paymentId=P&token=T&PayerID=X`, { apiKey: null }),
    api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}`, { apiKey: null, body: event() }),
    api.call('GET', '/readyz', { apiKey: null }),
  ]);
}

describe('case 20: while PostgreSQL', () => {
  /** Three seconds for a connection, five for a statement, and some for a slow machine. */
  const deadlineMs = 12_000;
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let proxy: TcpProxy;
  let api: ApiFixture;
  beforeAll(async () => {
    database = await createDatabase();
    const url = new URL(database.url);
    proxy = await TcpProxy.to(url.hostname, Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    api = await ApiFixture.start({ databaseUrl: url.href });
  });
  afterAll(async () => {
    await api.close();
    proxy.close();
    await database.drop();
  });

  async function works(): Promise<void> {
    await until(
      async () => await api.call('GET', '/readyz', { apiKey: null }),
      ({ status }) => status === 200,
      'the API to be ready again',
    );
    expect((await api.order()).status).toBe(202);
    const answer = await api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}`, {
      apiKey: null,
      body: event(),
    });
    expect(answer.status).toBe(200);
  }

  test.each([
    ['refuses connections', () => proxy.refuse()],
    ['does not answer', () => proxy.fallSilent()],
  ])(
    '%s every request is 503 with Retry-After within its deadline, and everything works again after',
    async (_case, breakDown) => {
      await works();
      breakDown();
      const answers = await Promise.race([everyRequest(api), sleep(deadlineMs, [])]);
      expect(answers).not.toEqual([]);
      for (const answer of answers) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.body).toEqual({
          type: 'urn:payments:problem:unavailable',
          title: 'Temporarily unavailable',
          status: 503,
          detail: 'The database cannot be reached.',
        });
      }
      expect((await api.call('GET', '/healthz', { apiKey: null })).status).toBe(200);
      proxy.restore();
      await works();
    },
  );
});

test('what the run has is answered with 202 though PostgreSQL goes away before the answer', async () => {
  const database = await createDatabase();
  const url = new URL(database.url);
  const proxy = await TcpProxy.to(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  const api = await ApiFixture.start({ databaseUrl: url.href, answerWithinMs: 5_000 });
  const temporal = await openTemporal();
  const orderId = randomUUID();
  const answer = api.order({ orderId });
  await until(
    async () => await temporal.workflow.count(`OrderId = '${orderId}'`),
    ({ count }) => count === 1,
    'the run to be started',
  );
  proxy.refuse();
  expect(await answer).toMatchObject({ status: 202, body: { orderId, state: 'creating' } });
  await api.close();
  await temporal.connection.close();
  proxy.close();
  await database.drop();
});

describe('case 19: while Temporal', () => {
  let proxy: TcpProxy;
  let api: ApiFixture;
  beforeAll(async () => {
    const [host = '', port = ''] = inject('temporalAddress').split(':');
    proxy = await TcpProxy.to(host, Number(port));
    api = await ApiFixture.start({ temporal: temporalAt(`127.0.0.1:${proxy.port}`) });
  });
  afterAll(async () => {
    await api.close();
    proxy.close();
  });

  test.each([
    ['refuses connections', () => proxy.refuse()],
    ['does not answer', () => proxy.fallSilent()],
  ])('%s orders are 503, reads and webhooks go on, and orders work again after', async (_case, breakDown) => {
    const { body } = await api.order();
    breakDown();
    const key = randomUUID();
    const refused = await api.order({}, key);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await api.call('GET', '/readyz', { apiKey: null })).status).toBe(503);
    expect((await api.call('GET', `/v1/payments/${String(body['id'])}`)).status).toBe(200);
    const webhook = await api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}`, {
      apiKey: null,
      body: event(),
    });
    expect(webhook.status).toBe(200);
    proxy.restore();
    const accepted = await until(
      async () => await api.order({}, key),
      ({ status }) => status !== 503,
      'the repeated order to be taken',
    );
    expect(accepted.status).toBe(202);
  });
});

describe('case 23: a slow sender', () => {
  test('is cut off with 408, and holds nothing open', async () => {
    const api = await ApiFixture.start({ requestTimeoutMs: 500 });
    const { port } = new URL(api.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      socket.on('close', () => resolve(received)).on('error', reject);
      socket.write(
        `POST /webhooks/sandbox/shop/${webhookSecret} HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n{"id"`,
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 408 /);
    expect(answer).toContain('application/problem+json');
    expect(await api.db.selectFrom('webhook_events').selectAll().execute()).toEqual([]);
    await api.close();
  });

  test('that speaks no HTTP is answered 400', async () => {
    const api = await ApiFixture.start();
    const { port } = new URL(api.url);
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1');
      let received = '';
      socket.setEncoding('utf8').on('data', (text: string) => (received += text));
      socket.on('close', () => resolve(received)).on('error', reject);
      socket.write('hello\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    await api.close();
  });
});

test('an API whose database is away at its start waits for it', async () => {
  const database = await createDatabase();
  const url = new URL(database.url);
  const proxy = await TcpProxy.to(url.hostname, Number(url.port));
  url.host = `127.0.0.1:${proxy.port}`;
  proxy.refuse();
  const starting = ApiFixture.start({ databaseUrl: url.href });
  // Two of its tries, a second apart, find nobody.
  expect(await Promise.race([starting, sleep(1_500, 'waiting')])).toBe('waiting');
  proxy.restore();
  const api = await starting;
  expect((await api.call('GET', '/healthz', { apiKey: null })).status).toBe(200);
  await api.close();
  proxy.close();
  await database.drop();
});
