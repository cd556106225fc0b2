import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, authorizedState, webhookSecret } from './api-fixture.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}
interface Operation {
  readonly security?: readonly unknown[];
}

let document: Document;
const api = forAllTests(() => ApiFixture.start());
beforeAll(async () => {
  document = (await api.call('GET', '/openapi.json', { apiKey: null })).body as unknown as Document;
});

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method, path, operation })),
  );

describe('a call without a valid API key', () => {
  test.each([
    ['no header', undefined],
    ['another scheme', `Basic ${ApiFixture.shopKey}`],
    ['a wrong key', 'Bearer wrong'],
    ['a key with a character more', `Bearer ${ApiFixture.shopKey}0`],
    ['an empty key', 'Bearer '],
    ['two keys', `Bearer ${ApiFixture.shopKey} ${ApiFixture.shopKey}`],
  ])('is refused on every operation that takes one: %s', async (_case, authorization) => {
    const closed = operations().filter(({ operation }) => operation.security?.length);
    expect(closed.length).toBeGreaterThanOrEqual(6);
    for (const { method, path } of closed) {
      const answer = await api.call(method.toUpperCase(), path.replaceAll(/\{\w+\}/g, 'x'), {
        apiKey: null,
        ...(authorization !== undefined && { headers: { authorization } }),
        ...(method === 'post' && { body: '{"broken' }),
      });
      expect(`${method} ${path} ${answer.status}`).toBe(`${method} ${path} 401`);
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
  });
});

test('needs no key for webhooks, payer routes, health and the codec’s sessions, and for nothing else', () => {
  const open = operations()
    .filter(({ operation }) => !operation.security?.length)
    .map(({ method, path }) => `${method} ${path}`);
  expect(open.toSorted()).toEqual([
    'get /codec/sign-in/{link}',
    'get /healthz',
    'get /readyz',
    'get /v1/payments/{id}/cancel',
    'get /v1/payments/{id}/return',
    'get /v1/subscriptions/{id}/cancelled',
    'get /v1/subscriptions/{id}/return',
    'options /codec/decode',
    'post /codec/decode',
    'post /webhooks/{environment}/{application}/{secret}',
  ]);
});

test('another application’s payment is not found: not by read, capture, void or list', async () => {
  const id = await api.paymentWith(authorizedState());
  const theirs = { apiKey: ApiFixture.bookshopKey, idempotencyKey: randomUUID() };
  expect((await api.call('GET', `/v1/payments/${id}`, theirs)).status).toBe(404);
  expect((await api.call('GET', `/v1/payments/${id}/timeline`, theirs)).status).toBe(404);
  expect((await api.call('GET', `/v1/payments/${id}/calls`, theirs)).status).toBe(404);
  expect((await api.call('POST', `/v1/payments/${id}/captures`, { ...theirs, body: {} })).status).toBe(404);
  expect((await api.call('POST', `/v1/payments/${id}/void`, theirs)).status).toBe(404);
  expect((await api.call('GET', '/v1/payments', theirs)).body).toEqual({ data: [], nextCursor: null });
  expect((await api.call('GET', `/v1/payments/${id}`)).status).toBe(200);
});

test('answers do not name the server software and may be neither cached nor framed', async () => {
  const { headers } = await api.call('GET', '/v1/payments');
  expect(headers.get('x-powered-by')).toBeNull();
  expect(headers.get('server')).toBeNull();
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
  expect(headers.get('referrer-policy')).toBe('no-referrer');
  expect(headers.get('strict-transport-security')).toBe('max-age=31536000');
  expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/);
});

test('no problem document quotes a credential', async () => {
  const answers = await Promise.all([
    api.call('GET', '/v1/payments?cursor=Bearer-secret'),
    api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}x`, { apiKey: null, body: {} }),
    api.call('POST', `/webhooks/sandbox/shop/${webhookSecret}`, { apiKey: null, body: '{"id":' }),
  ]);
  for (const { text } of answers) {
    expect(text).not.toContain(webhookSecret);
    expect(text).not.toContain('Bearer-secret');
    expect(text).not.toContain(ApiFixture.shopKey);
  }
});
