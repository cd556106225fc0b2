import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { createEngineDatabase } from '../helpers/database.js';
import { forAllTests } from '../helpers/shared.js';
import { until } from '../helpers/until.js';
import { configuration, order, webhookSecret } from './api-fixture.js';
import { ApiProcess } from './api-process.js';

const secrets = { all: randomBytes(24).toString('hex'), gone: randomBytes(24).toString('hex') };
const wrongKey = randomBytes(24).toString('hex');
const hash = (text: string) => createHash('sha256').update(text).digest('hex');
const shop = { environment: 'sandbox', application: 'shop' };

const database = forAllTests(createEngineDatabase);
const api = forAllTests(() =>
  ApiProcess.start({
    databaseUrl: database.url,
    applications: configuration(database.url).applications.slice(0, 1),
    env: {
      API_KEYS: JSON.stringify([
        { ...shop, id: 'all', sha256: hash(secrets.all) },
        { ...shop, id: 'gone', sha256: hash(secrets.gone), expiresAt: '2020-01-01T00:00:00Z' },
      ]),
      ANSWER_WITHIN_MS: '100',
      TRUSTED_PROXIES: '127.0.0.1',
    },
  }),
);

async function ask(method: string, path: string, headers: Record<string, string>, body?: object) {
  const answer = await fetch(api.url + path, {
    method,
    redirect: 'manual',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '198.51.100.7', ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  return answer.headers.get('x-request-id') ?? '';
}

/** The line of a request, once it is written. */
async function lineOf(requestId: string): Promise<Record<string, unknown>> {
  const line = await until(
    async () =>
      await Promise.resolve(
        api
          .log()
          .split('\n')
          .find((each) => each.includes(requestId)),
      ),
    (found) => found !== undefined,
    `the line of ${requestId}`,
  );
  return JSON.parse(line ?? '{}') as Record<string, unknown>;
}

const bearer = (key: string) => ({ authorization: `Bearer ${key}`, 'idempotency-key': randomUUID() });

test('the log names key, application, source and scope of an order, and whether it was refused', async () => {
  const named = { ...shop, scope: 'order', source: '198.51.100.7' };
  const taken = await ask('POST', '/v1/payments', bearer(secrets.all), order);
  expect(await lineOf(taken)).toMatchObject({ ...named, keyId: 'all', refused: false });
  const expired = await ask('POST', '/v1/payments', bearer(secrets.gone), order);
  expect(await lineOf(expired)).toMatchObject({ ...named, keyId: 'gone', status: 401, refused: true });
  const unknown = await lineOf(await ask('POST', '/v1/payments', bearer(wrongKey), order));
  expect(unknown).toMatchObject({ scope: 'order', source: '198.51.100.7', status: 401, refused: true });
  expect(unknown).not.toHaveProperty('keyId');
  const forged = await ask('POST', `/webhooks/sandbox/shop/${webhookSecret}x`, {}, {});
  expect(await lineOf(forged)).toMatchObject({ source: '198.51.100.7', status: 404, refused: true });
});

test('a caller who is no proxy of ours is named by the address of the connection, whatever it claims', async () => {
  const requestId = await new Promise<string>((resolve, reject) => {
    const headers = { 'x-forwarded-for': '198.51.100.7' };
    get(`${api.url}/v1/payments`, { localAddress: '127.0.0.2', headers }, (answer) => {
      answer.resume();
      resolve(String(answer.headers['x-request-id']));
    }).on('error', reject);
  });
  expect(await lineOf(requestId)).toMatchObject({ source: '127.0.0.2', status: 401, refused: true });
});

test('the log holds no address of a payer, no key, and nothing of a body', async () => {
  const visit = await ask('GET', '/v1/payments/pay_unknown/return?token=EC-1', {
    'x-forwarded-for': '203.0.113.9',
  });
  expect(await lineOf(visit)).not.toHaveProperty('source');
  for (const secret of [...Object.values(secrets), wrongKey, webhookSecret, '203.0.113.9', order.returnUrl])
    expect(api.log()).not.toContain(secret);
});
