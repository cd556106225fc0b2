import { connect } from 'node:net';
import { once } from 'node:events';
import { beforeAll, describe, expect, test } from 'vitest';
import { forAllTests } from '../helpers/shared.js';
import { ApiFixture, webhookSecret } from './api-fixture.js';

let operations: readonly (readonly [path: string, methods: readonly string[]])[];
const api = forAllTests(() => ApiFixture.start());
beforeAll(async () => {
  const { body } = await api.call('GET', '/openapi.json', { apiKey: null });
  operations = Object.entries(body['paths'] as Record<string, object>).map(
    ([path, methods]) => [path, Object.keys(methods).map((method) => method.toUpperCase())] as const,
  );
});

function addressOf(path: string): string {
  return path
    .replace('{environment}', 'sandbox')
    .replace('{application}', 'shop')
    .replace('{secret}', webhookSecret)
    .replaceAll(/\{\w+\}/g, 'anything');
}

describe('a known path', () => {
  test('answers every method that it does not have with 405 and names those that it has', async () => {
    expect(operations.length).toBeGreaterThan(50);
    for (const [path, methods] of operations) {
      const wrong = ['DELETE', 'GET', 'PATCH', 'POST', 'PUT'].filter((method) => !methods.includes(method));
      for (const method of wrong) {
        const { status, headers, body } = await api.call(method, addressOf(path));
        expect([status, headers.get('allow')], `${method} ${path}`).toEqual([
          405,
          methods.toSorted().join(', '),
        ]);
        expect(body['type']).toBe('urn:payments:problem:method-not-allowed');
      }
    }
  });

  test('does not take HEAD for GET', async () => {
    const headers = { authorization: `Bearer ${ApiFixture.shopKey}` };
    const answer = await fetch(`${api.url}/v1/payments`, { method: 'HEAD', headers });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST']);
  });

  test('of the codec says so also to who has no session', async () => {
    for (const [method, path, allow] of [
      ['PUT', '/codec/decode', 'OPTIONS, POST'],
      ['GET', '/codec/decode', 'OPTIONS, POST'],
      ['POST', '/codec/sign-in/anything', 'GET'],
      ['OPTIONS', '/codec/sign-in/anything', 'GET'],
    ] as const) {
      const answer = await api.call(method, path, { apiKey: null });
      expect([answer.status, answer.headers.get('allow')], `${method} ${path}`).toEqual([405, allow]);
    }
    expect((await api.call('POST', '/codec/decode', { apiKey: null })).status).toBe(401);
  });

  test('shows a caller without a key nothing more than that the key is missing', async () => {
    expect((await api.call('PUT', '/v1/payments', { apiKey: null, body: {} })).status).toBe(401);
  });
});

test('an unknown path is a 404 with any method', async () => {
  for (const method of ['GET', 'POST', 'PUT']) {
    const answer = await api.call(method, '/v1/nothing');
    expect([answer.status, answer.headers.get('allow')], method).toEqual([404, null]);
  }
});

test('a wrong method is answered before the body has come', async () => {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  socket.write(
    `PUT /v1/payments HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${ApiFixture.shopKey}\r\n` +
      'content-type: application/json\r\ncontent-length: 1000\r\n\r\n',
  );
  const [answer] = (await once(socket, 'data')) as [Buffer];
  socket.destroy();
  expect(answer.toString()).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer.toString()).toContain('connection: close');
});
