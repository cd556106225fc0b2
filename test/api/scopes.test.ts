import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { allColumns } from '../helpers/all-columns.js';
import { ApiFixture, authorizedState, configuration, order } from './api-fixture.js';

type Scope = 'read' | 'order' | 'decide';

interface Operation {
  /** Empty for those that need no key. */
  readonly security?: readonly { readonly apiKey: readonly [Scope] }[];
  readonly responses: Readonly<Record<string, unknown>>;
}

const scopes: readonly Scope[] = ['read', 'order', 'decide'];
const secrets = Object.fromEntries(
  [...scopes, 'all', 'expired', 'ending'].map((id) => [id, randomBytes(24).toString('hex')]),
);
const keyFor = (id: string, limits: object) => ({
  id,
  sha256: createHash('sha256')
    .update(secrets[id] ?? '')
    .digest('hex'),
  environment: 'sandbox',
  application: 'shop',
  ...limits,
});

let api: ApiFixture;
let endsAt: number;
let guarded: {
  readonly method: string;
  readonly path: string;
  readonly needed: Scope;
  readonly described: Operation['responses'];
}[];
let responses: Operation['responses'][];
beforeAll(async () => {
  endsAt = Date.now() + 3_600_000;
  const keys = [
    ...scopes.map((scope) => keyFor(scope, { scopes: [scope] })),
    keyFor('all', {}),
    keyFor('expired', { expiresAt: '2020-01-01T00:00:00Z' }),
    keyFor('ending', { expiresAt: new Date(endsAt).toISOString() }),
  ];
  api = await ApiFixture.start({ apiKeys: [...configuration('').apiKeys, ...keys] });
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  const paths = body['paths'] as Record<string, Record<string, Operation>>;
  const closed = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security, responses: described }]) => {
      const guard = security?.[0];
      return guard ? [{ method: method.toUpperCase(), path, needed: guard.apiKey[0], described }] : [];
    }),
  );
  guarded = closed;
  responses = closed.map(({ described }) => described);
});
afterAll(async () => {
  await api.close();
});

const ask = async (id: string, method: string, path: string, body: unknown = { planted: true }) =>
  await api.call(method, path, {
    apiKey: secrets[id] ?? '',
    idempotencyKey: randomUUID(),
    ...(method !== 'GET' && method !== 'DELETE' && { body }),
  });

describe('an operation', () => {
  test('names the scope that it needs, and the refusal of a key without it', () => {
    expect(guarded.length).toBeGreaterThan(40);
    for (const described of responses) expect(described).toHaveProperty('403');
    expect(new Set(guarded.map(({ needed }) => needed))).toEqual(new Set(scopes));
    const decided = guarded.filter(({ needed }) => needed === 'decide').map(({ path }) => path);
    expect(decided.toSorted()).toEqual([
      '/v1/codec-sessions',
      '/v1/codec-sessions/{id}',
      '/v1/payments/{id}/review/decision',
      '/v1/payouts/{id}/review/decision',
      '/v1/refunds/{id}/review/decision',
      '/v1/subscriptions/{id}/review/decision',
      '/v1/webhook-events/{id}/resend',
    ]);
    for (const { method, path, needed } of guarded)
      if (needed === 'read') expect(method === 'GET' || path.endsWith('/check'), path).toBe(true);
  });

  test('refuses each key without its scope: 403 that names it, and no row changes', async () => {
    const id = await api.paymentWith(authorizedState());
    const before = await allColumns(api.db);
    for (const { method, path, needed } of guarded) {
      for (const scope of scopes.filter((other) => other !== needed)) {
        const answer = await ask(scope, method, path.replaceAll(/\{\w+\}/g, id));
        expect(`${scope}: ${method} ${path} ${answer.status}`).toBe(`${scope}: ${method} ${path} 403`);
        expect(answer.body['code']).toBe('insufficient_scope');
        expect(answer.body['detail']).toContain(`"${needed}"`);
        expect(answer.headers.get('www-authenticate')).toContain(`scope="${needed}"`);
      }
    }
    expect(await allColumns(api.db)).toEqual(before);
  });

  test('takes a key with its scope, and one without a list of scopes', async () => {
    // An answer that is a stream has no end; test/api/live-events.test.ts opens them.
    const answered = guarded.filter(
      ({ described }) => !JSON.stringify(described['200'] ?? {}).includes('text/event-stream'),
    );
    for (const { method, path, needed } of answered) {
      for (const key of [needed, 'all']) {
        const { status } = await ask(key, method, path.replaceAll(/\{\w+\}/g, 'x'));
        expect([401, 403], `${key}: ${method} ${path}`).not.toContain(status);
      }
    }
  });
});

describe('the address of an endpoint', () => {
  test('is whole for keys that may set it, and without its query for those that only read', async () => {
    const { databaseUrl } = api;
    const shop = await ApiFixture.start({
      databaseUrl,
      apiKeys: [keyFor('all', {}), keyFor('read', { scopes: ['read'] })],
      notifications: { allowsAnyAddress: true },
    });
    onTestFinished(() => shop.close());
    const path = '/v1/notification-endpoints';
    const callAs = async (id: string, method: string, at: string, body?: object) =>
      await shop.call(method, at, { apiKey: secrets[id]!, body, idempotencyKey: randomUUID() });
    const url = 'https://shop.example/told?token=s3cret';
    const { body } = await callAs('all', 'POST', path, { url });
    expect(body['url']).toBe(url);
    const own = `${path}/${String(body['id'])}`;
    expect((await callAs('all', 'GET', own)).body['url']).toBe(url);
    for (const address of [own, path]) {
      const { status, text } = await callAs('read', 'GET', address);
      expect([status, text.includes('"https://shop.example/told"')], address).toEqual([200, true]);
      expect(text).not.toContain('s3cret');
    }
  });
});

describe('a key that has expired', () => {
  test('is a 401 that says so, for a read and for an order, and no row changes', async () => {
    const before = await allColumns(api.db);
    const answers = [
      await ask('expired', 'GET', '/v1/payments'),
      await ask('expired', 'POST', '/v1/payments', order),
    ];
    for (const answer of answers) {
      expect([answer.status, answer.body['code']]).toEqual([401, 'key_expired']);
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
    expect(await allColumns(api.db)).toEqual(before);
  });

  test('is followed by another one of the same application, under which its orders are repeated', async () => {
    const idempotencyKey = randomUUID();
    const orderBy = async (id: string) =>
      await api.call('POST', '/v1/payments', { apiKey: secrets[id] ?? '', idempotencyKey, body: order });
    const { body: ordered } = await orderBy('ending');
    const clock = vi.spyOn(Date, 'now').mockReturnValue(endsAt);
    expect((await orderBy('ending')).body['code']).toBe('key_expired');
    clock.mockRestore();
    expect((await orderBy('all')).body['id']).toBe(ordered['id']);
  });

  test('was taken until its instant, and its codec sessions end with it', async () => {
    const opened = await ask('ending', 'POST', '/v1/codec-sessions');
    expect(opened.status).toBe(201);
    const decode = async () =>
      (
        await api.call('POST', '/codec/decode', {
          apiKey: String(opened.body['token']),
          body: { payloads: [] },
        })
      ).status;
    expect(await decode()).toBe(200);
    const clock = vi.spyOn(Date, 'now').mockReturnValue(endsAt);
    onTestFinished(() => clock.mockRestore());
    expect((await ask('ending', 'GET', '/v1/payments')).body['code']).toBe('key_expired');
    expect(await decode()).toBe(401);
  });
});
