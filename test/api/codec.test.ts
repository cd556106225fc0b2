import { defaultPayloadConverter } from '@temporalio/common';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ApiFixture, codecSecret, temporalUi } from './api-fixture.js';

let api: ApiFixture;
beforeAll(async () => {
  api = await ApiFixture.start();
});
afterAll(async () => {
  await api.close();
});

const plain = {
  metadata: { encoding: Buffer.from('json/plain').toString('base64') },
  data: Buffer.from(JSON.stringify({ payee: 'somebody' })).toString('base64'),
};

async function post(path: string, payloads: unknown[], options = {}) {
  return await api.call('POST', path, { apiKey: null, body: { payloads }, ...options });
}

describe('the codec endpoint', () => {
  test('encrypts, and decrypts what was encrypted, byte for byte', async () => {
    const encoded = await post(`/codec/${codecSecret}/encode`, [plain, plain]);
    expect(encoded.status).toBe(200);
    expect(encoded.text).not.toContain(plain.data);
    const decoded = await post(`/codec/${codecSecret}/decode`, encoded.body['payloads'] as unknown[]);
    expect(decoded.body).toEqual({ payloads: [plain, plain] });
    const payload = {
      metadata: { encoding: Buffer.from('json/plain') },
      data: Buffer.from(plain.data, 'base64'),
    };
    expect(defaultPayloadConverter.fromPayload(payload)).toEqual({ payee: 'somebody' });
  });

  test('opens nothing to an API key: it stands for one application, a payload for any', async () => {
    const { body } = await post(`/codec/${codecSecret}/encode`, [plain]);
    const refused = await post('/codec/decode', body['payloads'] as unknown[], {
      apiKey: ApiFixture.shopKey,
    });
    expect(refused.status).toBe(404);
  });

  test.each([
    [`/codec/${codecSecret}0/decode`, 404],
    [`/codec/${codecSecret.slice(1)}/decode`, 404],
    [`/codec/${codecSecret}0/encode`, 404],
    ['/codec/decode', 404],
  ])('does nothing for a wrong secret: %#', async (path, status) => {
    expect((await post(path, [plain])).status).toBe(status);
    expect((await api.call('POST', path, { apiKey: null, body: 'no json' })).status).toBe(status);
  });

  test.each([
    [
      'of another key',
      { metadata: { encoding: 'YmluYXJ5L2VuY3J5cHRlZA==', 'encryption-key-id': 'eA==' }, data: 'AAAA' },
    ],
    ['cut short', { metadata: { encoding: 'YmluYXJ5L2VuY3J5cHRlZA==' }, data: 'AAAA' }],
  ])('refuses a payload %s with 400', async (_case, payload) => {
    const answer = await post(`/codec/${codecSecret}/decode`, [payload]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'urn:payments:problem:malformed-request' });
  });

  test('shows what Temporal keeps in the clear as it stands, beside what it decrypts', async () => {
    const { body } = await post(`/codec/${codecSecret}/encode`, [plain]);
    const decoded = await post(`/codec/${codecSecret}/decode`, [plain, ...(body['payloads'] as unknown[])]);
    expect(decoded.body).toEqual({ payloads: [plain, plain] });
  });

  test('refuses a payload that was tampered with', async () => {
    const { body } = await post(`/codec/${codecSecret}/encode`, [plain]);
    const [payload] = body['payloads'] as { metadata: object; data: string }[];
    const data = Buffer.from(payload!.data, 'base64');
    data[20]! ^= 1;
    const tampered = { ...payload, data: data.toString('base64') };
    expect((await post(`/codec/${codecSecret}/decode`, [tampered])).status).toBe(400);
  });

  test('names the wrong field of a malformed request', async () => {
    const answer = await post(`/codec/${codecSecret}/decode`, [{ data: 'not base64!' }]);
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ pointer: '/payloads/0/data' }]);
  });
});

describe('a page in a browser', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };

  test('of Temporal’s UI may call', async () => {
    const headers = { origin: temporalUi, ...preflight };
    const asked = await api.call('OPTIONS', `/codec/${codecSecret}/decode`, { apiKey: null, headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(temporalUi);
    expect(asked.headers.get('access-control-allow-headers')).toContain('content-type');
    const called = await post(`/codec/${codecSecret}/decode`, [], { headers: { origin: temporalUi } });
    expect(called.headers.get('access-control-allow-origin')).toBe(temporalUi);
  });

  test('of anywhere else may not', async () => {
    const headers = { origin: 'http://evil.example', ...preflight };
    const asked = await api.call('OPTIONS', `/codec/${codecSecret}/decode`, { apiKey: null, headers });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('without the secret learns nothing', async () => {
    const headers = { origin: temporalUi, ...preflight };
    const asked = await api.call('OPTIONS', '/codec/guess/decode', { apiKey: null, headers });
    expect(asked.status).toBe(404);
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
  });
});
