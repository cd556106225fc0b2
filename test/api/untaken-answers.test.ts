import { once } from 'node:events';
import { type Socket, connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { sql } from 'kysely';
import { limitsOfTests } from '../helpers/limits-of-tests.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { ApiFixture } from './api-fixture.js';

const lists = 2;
const api = forAllTests(() =>
  ApiFixture.start({ callerLimits: { ...limitsOfTests, lists }, requestTimeoutMs: 1_000 }),
);

/** Asks for a list that is longer than what the system buffers, and takes only its beginning. */
async function askAndStop(): Promise<Socket> {
  const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
  await once(socket, 'connect');
  const authorization = `authorization: Bearer ${ApiFixture.shopKey}`;
  socket.write(`GET /v1/payments?limit=100 HTTP/1.1\r\nhost: api\r\n${authorization}\r\n\r\n`);
  await once(socket, 'readable');
  return socket;
}

const list = async (apiKey?: string) =>
  (await api.call('GET', '/v1/payments?limit=1', { ...(apiKey !== undefined && { apiKey }) })).status;

test('answers that are not taken keep the places of their key, not of others, and are cut off', async () => {
  const { body: template } = await api.order();
  await sql`
    insert into payments (id, environment, application, order_id, intent, status, state, version, return_url, cancel_url, metadata)
    select id || n, environment, application, order_id, intent, status, state, version, return_url, cancel_url,
      jsonb_build_object('text', repeat('x', 200000))
    from payments, generate_series(1, 100) as n where id = ${String(template['id'])}`.execute(api.db);
  const sockets = await Promise.all(Array.from({ length: lists }, askAndStop));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  expect(await list()).toBe(429);
  expect(await list(ApiFixture.bookshopKey)).toBe(200);
  expect((await api.call('GET', `/v1/payments/${String(template['id'])}`)).status).toBe(200);
  await until(list, (status) => status === 200, 'the untaken answers to be cut off');
});
