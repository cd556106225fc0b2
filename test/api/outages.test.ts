import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createEngineDatabase, withUsualTimeouts } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { type Answer, ApiFixture, openTemporal, order, temporalAt, webhookSecret } from './api-fixture.js';
import { TcpProxy } from './tcp-proxy.js';

const event = () => ({
  id: `WH-${randomUUID()}`,
  trigger_event: 'PAYMENT.CAPTURE.COMPLETED',
  resource_type: 'capture',
  resource: { id: 'CAP-1', state: 'completed' },
});

/** On a starved machine the limits of production make even a store that is there look away for a moment: 503. */
async function answers(request: () => Promise<Answer>, status: number): Promise<Answer> {
  const answer = await until(request, (seen) => seen.status !== 503, 'an answer other than 503');
  expect(answer.status).toBe(status);
  return answer;
}

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
  /** Three seconds for a connection, five for a statement, and the same again for a slow machine. */
  const deadlineMs = 16_000;
  let proxy: TcpProxy;
  let api: ApiFixture;
  const database = forAllTests(createEngineDatabase);
  beforeAll(async () => {
    const url = withUsualTimeouts(database.url);
    proxy = await TcpProxy.to(url.hostname, Number(url.port));
    url.host = `127.0.0.1:${proxy.port}`;
    api = await ApiFixture.start({ databaseUrl: url.href });
  });
  afterAll(async () => {
    await api.close();
    proxy.close();
  });

  async function works(): Promise<void> {
    await until(
      async () => await api.call('GET', '/readyz', { apiKey: null }),
      ({ status }) => status === 200,
      'the API to be ready again',
    );
    await answers(async () => await api.order(), 202);
    const body = event();
    await answers(
      async () => await api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}`, { apiKey: null, body }),
      200,
    );
  }

  test.each([
    ['refuses connections', () => proxy.refuse()],
    ['does not answer', () => proxy.fallSilent()],
  ])(
    '%s every request is answered 503 with Retry-After within its deadline, and all works again afterwards',
    async (_case, breakDown) => {
      await works();
      breakDown();
      const reported = await Promise.race([everyRequest(api), sleep(deadlineMs, [])]);
      expect(reported).not.toEqual([]);
      for (const [index, answer] of reported.entries()) {
        expect(answer.status).toBe(503);
        expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
        expect(answer.body).toEqual({
          type: 'urn:payments:problem:unavailable',
          title: 'Temporarily unavailable',
          status: 503,
          code: 'unavailable',
          detail: 'The database cannot be reached.',
          requestId: answer.headers.get('x-request-id'),
          // The readiness is asked last.
          ...(index === reported.length - 1 && { missing: ['database'] }),
        });
      }
      const spared = '/readyz?except=database&except=temporal';
      for (const path of ['/healthz', spared])
        expect((await api.call('GET', path, { apiKey: null })).status).toBe(200);
      proxy.restore();
      await works();
    },
  );
});

test('a command that the run has is answered 202 even if PostgreSQL fails before the answer', async () => {
  const database = await createEngineDatabase();
  const url = withUsualTimeouts(database.url);
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
  const proxy = forAllTests(() => TcpProxy.before(inject('temporalAddress')));
  const api = forAllTests(() => ApiFixture.start({ temporal: temporalAt(`127.0.0.1:${proxy.port}`, 6_000) }));

  test.each([
    ['refuses connections', () => proxy.refuse()],
    ['does not answer', () => proxy.fallSilent()],
  ])(
    '%s orders are answered 503, reads and webhooks continue, and orders work again afterwards',
    async (_case, breakDown) => {
      const { body } = await answers(async () => await api.order(), 202);
      breakDown();
      const key = randomUUID();
      const refused = await api.order({}, key);
      expect(refused.status).toBe(503);
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect((await api.call('GET', '/readyz', { apiKey: null })).status).toBe(503);
      expect((await api.call('GET', '/readyz?except=temporal', { apiKey: null })).status).toBe(200);
      expect((await api.call('GET', `/v1/payments/${String(body['id'])}`)).status).toBe(200);
      const webhook = await api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}`, {
        apiKey: null,
        body: event(),
      });
      expect(webhook.status).toBe(200);
      proxy.restore();
      await answers(async () => await api.order({}, key), 202);
    },
  );
});

test('while Temporal does not have the namespace, orders are answered 503, and webhooks are taken', async () => {
  const api = await ApiFixture.start({
    temporal: { ...temporalAt(inject('temporalAddress')), namespace: 'made-later' },
  });
  const key = randomUUID();
  for (const order of [() => api.order({}, key), () => api.order({}, key)]) {
    const refused = await order();
    expect(refused).toMatchObject({ status: 503, body: { code: 'unavailable' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.has('idempotent-replayed')).toBe(false);
  }
  const path = `/webhooks/sandbox/shop/${webhookSecret}`;
  expect((await api.call('POST', path, { apiKey: null, body: event() })).status).toBe(200);
  await api.close();
});

describe('case 23: a slow sender', () => {
  test('is disconnected with 408, and keeps nothing open', async () => {
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

  test('is answered 400 when it does not speak HTTP', async () => {
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

test('an API that starts while its database is down waits for it', async () => {
  const database = await createEngineDatabase();
  const url = withUsualTimeouts(database.url);
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
