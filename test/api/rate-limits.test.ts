import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { consolePassword, consoleUsers } from '../console/console-users.js';
import { forAllTests } from '../helpers/shared.js';
import { type Answer, ApiFixture, order, webhookSecret } from './api-fixture.js';
import { deliver, event, journalOf } from './deliveries.js';

const requestsPerKey = 12;
const requestsPerAddress = 6;
const failuresPerAddress = 4;
const signInsPerAddress = 3;

const api = forAllTests(() =>
  ApiFixture.start({
    rateLimits: { requestsPerKey, requestsPerAddress, failuresPerAddress, signInsPerAddress },
    trustedProxies: '127.0.0.1',
    consoleUsers,
  }),
);

// A minute ends when a test says so, however slow the machine is.
let minutes = 0;
beforeEach(() => {
  minutes += 2;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + minutes * 60_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const from = (address: string) => ({ 'x-forwarded-for': address });
const read = async (apiKey: string | null, address = '198.51.100.1') =>
  await api.call('GET', '/v1/payments/pay_unknown', { apiKey, headers: from(address) });
const payer = async (address: string) =>
  await api.call('GET', '/v1/payments/pay_unknown/return?token=EC-1', {
    apiKey: null,
    headers: from(address),
  });

const healthz = async () => await api.call('GET', '/healthz', { apiKey: null });

async function times(count: number, call: () => Promise<Answer>): Promise<number[]> {
  const statuses: number[] = [];
  for (let nth = 0; nth < count; nth += 1) statuses.push((await call()).status);
  return statuses;
}

async function signIn(name: string, address: string): Promise<Answer> {
  const form = await api.call('GET', '/console/sign-in', { apiKey: null, headers: from(address) });
  const token = /name="_csrf" value="([^"]+)"/.exec(form.text)?.[1] ?? '';
  const cookie = form.headers.getSetCookie().map((each) => each.split(';')[0]);
  return await api.call('POST', '/console/sign-in', {
    apiKey: null,
    body: new URLSearchParams({
      _csrf: token,
      name,
      password: consolePassword,
      next: '/console',
    }).toString(),
    headers: {
      ...from(address),
      'content-type': 'application/x-www-form-urlencoded',
      cookie: cookie.join('; '),
      accept: 'text/html',
    },
  });
}

const unreadable = async () =>
  await api.call('GET', '/v1/%zz', { apiKey: null, headers: from('198.51.100.5') });

describe('an API key that has sent all the requests of its minute', () => {
  test('gets a problem with a code, and headers that say so; its next order is not carried out', async () => {
    expect(await times(requestsPerKey - 1, async () => await read(ApiFixture.shopKey))).not.toContain(429);
    const last = await read(ApiFixture.shopKey);
    expect(last.status).toBe(404);
    expect(last.headers.get('ratelimit-limit')).toBe(String(requestsPerKey));
    expect(last.headers.get('ratelimit-remaining')).toBe('0');
    const refused = await api.order();
    expect(refused).toMatchObject({
      status: 429,
      body: { type: 'urn:payments:problem:too-many-requests', code: 'rate_limit_exceeded' },
    });
    expect(Number(refused.headers.get('retry-after'))).toBe(60);
    expect(refused.headers.get('ratelimit-reset')).toBe('60');
    expect(await api.db.selectFrom('payments').select('id').execute()).toEqual([]);
  });

  test('harms no other key, and goes on when the minute is over', async () => {
    await times(requestsPerKey + 1, async () => await read(ApiFixture.shopKey));
    expect((await read(ApiFixture.bookshopKey)).status).toBe(404);
    expect((await read(ApiFixture.shopKey)).status).toBe(429);
    vi.setSystemTime(Date.now() + 60_000);
    expect((await read(ApiFixture.shopKey)).status).toBe(404);
  });
});

describe('an address', () => {
  test('with wrong keys is refused after some, and takes nothing from the valid key that it also has', async () => {
    expect(await times(failuresPerAddress, async () => await read('wrong'))).toEqual(
      Array<number>(failuresPerAddress).fill(401),
    );
    expect(await times(3, async () => await read('wrong'))).toEqual([429, 429, 429]);
    expect((await read(null)).status).toBe(429);
    const valid = await read(ApiFixture.shopKey);
    expect(valid.status).toBe(404);
    expect(valid.headers.get('ratelimit-remaining')).toBe(String(requestsPerKey - 1));
    expect((await read('wrong', '198.51.100.2')).status).toBe(401);
  });

  test('is refused after some requests without a key; other addresses are served', async () => {
    const one = await times(requestsPerAddress + 1, async () => await payer('198.51.100.3'));
    expect(one.map((status) => status === 429)).toEqual([
      ...Array<boolean>(requestsPerAddress).fill(false),
      true,
    ]);
    expect((await payer('198.51.100.4')).status).not.toBe(429);
  });

  test('is one of an IPv6 network of 64 bits', async () => {
    await times(requestsPerAddress, async () => await payer('2001:db8:0:1::1'));
    expect((await payer('2001:db8:0:1:ffff::2')).status).toBe(429);
    expect((await payer('2001:db8:0:2::1')).status).not.toBe(429);
  });

  test('asks for health as often as it likes', async () => {
    expect(new Set(await times(2 * requestsPerAddress, healthz))).toEqual(new Set([200]));
  });

  test('has the addresses counted that cannot be read, and their answers are protected like others', async () => {
    const first = await unreadable();
    expect(first.status).toBe(400);
    expect(first.headers.get('x-content-type-options')).toBe('nosniff');
    expect(first.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await times(requestsPerAddress, unreadable)).toContain(429);
  });
});

test('genuine deliveries are taken from an address that has used up every limit, forged ones are not', async () => {
  const forge = async () =>
    await api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}x`, { apiKey: null, body: {} });
  expect(await times(failuresPerAddress + 1, forge)).toEqual([
    ...Array<number>(failuresPerAddress).fill(404),
    429,
  ]);
  await times(requestsPerAddress + 1, async () => await payer('127.0.0.1'));
  for (let nth = 0; nth < 3 * requestsPerKey; nth += 1)
    expect((await deliver(api, event({ id: `AUTH-${randomUUID()}` }))).status).toBe(200);
  expect(await journalOf(api)).toHaveLength(3 * requestsPerKey);
});

test('an address tries to sign in a few times in a minute, under whatever name', async () => {
  const office = '203.0.113.1';
  expect(await times(signInsPerAddress, async () => await signIn('nobody', office))).not.toContain(429);
  const refused = await signIn('vera', office);
  expect(refused.status).toBe(429);
  expect(refused.headers.get('content-type')).toContain('text/html');
  expect(refused.headers.get('retry-after')).toBe('60');
  expect((await signIn('vera', '203.0.113.2')).status).toBe(303);
});

test('an address comes back from the identity provider a few times in a minute, and asks it no more', async () => {
  let asked = 0;
  const office = '203.0.113.3';
  const identity = await answering((url) => {
    asked += url === '/token' ? 1 : 0;
  });
  const own = await ApiFixture.start({
    databaseUrl: api.databaseUrl,
    rateLimits: { requestsPerKey, requestsPerAddress: 100, failuresPerAddress, signInsPerAddress },
    trustedProxies: '127.0.0.1',
    consoleIdentityProvider: identity.settings,
  });
  onTestFinished(async () => {
    await own.close();
    identity.close();
  });
  // Anybody can make up what a browser keeps, and a code.
  const begun = JSON.stringify({ state: 's', nonce: 'n', codeVerifier: 'v', next: '/console' });
  const cookie = `__Host-console-oidc=${Buffer.from(begun).toString('base64url')}`;
  const comeBack = async () =>
    await own.call('GET', '/console/sign-in/oidc/callback?code=made-up&state=s', {
      apiKey: null,
      headers: { ...from(office), cookie },
    });
  const statuses = await times(signInsPerAddress + 2, comeBack);
  expect(statuses).toEqual([...Array<number>(signInsPerAddress).fill(403), 429, 429]);
  expect(asked).toBe(signInsPerAddress);
});

/** An identity provider that knows no code. @param onCall gets the path of each call. */
async function answering(onCall: (path: string) => void) {
  const server = createServer((request, response) => {
    onCall(request.url ?? '');
    const isMetadata = request.method === 'GET';
    const metadata = { issuer, token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/keys` };
    const body = isMetadata ? metadata : { error: 'invalid_grant' };
    response.writeHead(isMetadata ? 200 : 400, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const settings = {
    issuer,
    clientId: 'payments-console',
    clientSecret: 'of-a-test',
    name: 'Acme',
    scope: 'openid',
    nameClaim: 'name',
    groupsClaim: 'groups',
    groups: { viewer: ['everybody'] },
  };
  return { settings, close: () => server.close() };
}

test('the document describes the refusal: its code, when to come back and what is left', async () => {
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null, headers: from('198.51.100.6') });
  expect(body).toMatchObject({
    paths: {
      '/v1/payments': {
        post: { responses: { 429: { headers: { 'Retry-After': {}, 'RateLimit-Remaining': {} } } } },
      },
    },
    components: {
      schemas: {
        Problem: { properties: { code: { enum: expect.arrayContaining(['rate_limit_exceeded']) } } },
      },
    },
  });
});

test('an order is refused for its rate before its body is read', async () => {
  await times(requestsPerKey, async () => await read(ApiFixture.bookshopKey));
  const answer = await api.call('POST', '/v1/payments', {
    apiKey: ApiFixture.bookshopKey,
    body: `${JSON.stringify(order)} is no JSON`,
    idempotencyKey: randomUUID(),
  });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('connection')).toBe('close');
});
