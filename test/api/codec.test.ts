import { randomBytes } from 'node:crypto';
import { type Payload, defaultPayloadConverter } from '@temporalio/common';
import { describe, expect, test } from 'vitest';
import { fromWire, toWire } from '#api/codec/wire-payloads.js';
import { EncryptingCodec } from '#payload-codec';
import { forAllTests } from '../helpers/shared.js';
import { unboundPayload } from '../payload-codec/earlier-payloads.js';
import { ApiFixture, codecKeys, configuration, temporalUi } from './api-fixture.js';

const api = forAllTests(() => ApiFixture.start());

const plain = toWire([defaultPayloadConverter.toPayload({ payee: 'somebody' })]).payloads[0]!;
const codec = new EncryptingCodec(codecKeys);

/** As a run of this application would have stored it. */
async function stored(application = 'shop'): Promise<Payload> {
  const workflowId = `payment/sandbox/${application}/pay_1`;
  const place = { type: 'workflow', namespace: 'default', workflowId } as const;
  return (await codec.encode(fromWire({ payloads: [plain] }), place))[0]!;
}

interface Session {
  readonly id: string;
  readonly token: string;
  readonly signInUrl: string;
}

async function open(apiKey = ApiFixture.shopKey, at = api): Promise<Session> {
  const opened = await at.call('POST', '/v1/codec-sessions', { apiKey });
  expect(opened.status).toBe(201);
  return opened.body as unknown as Session;
}

async function decode(credential: string | null, payloads: readonly Payload[], options = {}, at = api) {
  const body = toWire(payloads);
  return await at.call('POST', '/codec/decode', { apiKey: credential, body, ...options });
}

/** @returns the cookie that a browser would keep. */
async function signIn({ signInUrl }: Session): Promise<string> {
  const answer = await api.call('GET', new URL(signInUrl).pathname, { apiKey: null });
  expect(answer.status).toBe(200);
  return answer.headers.get('set-cookie') ?? '';
}

const browser = (cookie: string, origin = temporalUi) => ({
  headers: { origin, cookie: cookie.split(';')[0] },
});

describe('the codec endpoint', () => {
  test('decrypts what was encrypted, byte for byte', async () => {
    const { token } = await open();
    const decoded = await decode(token, [await stored(), await stored()]);
    expect(decoded).toMatchObject({ status: 200, body: { payloads: [plain, plain] } });
  });

  test('failure 33: encrypts nothing for anybody', async () => {
    const { token } = await open();
    for (const path of ['/codec/encode', `/codec/${token}/encode`]) {
      const answer = await api.call('POST', path, { apiKey: token, body: { payloads: [plain] } });
      expect(answer.status).toBe(404);
      expect(answer.text).not.toContain('payloads');
    }
  });

  test.each([
    ['nobody', () => null],
    ['an API key', () => ApiFixture.shopKey],
    ['a guess', () => randomBytes(32).toString('base64url')],
    ['a session’s id', async () => (await open()).id],
    ['a session’s link', async () => (await open()).signInUrl.split('/').at(-1) ?? ''],
  ])('decrypts nothing for %s', async (_who, credential) => {
    const payload = await stored();
    const refused = await decode(await credential(), [payload]);
    expect(refused.status).toBe(401);
    expect(refused.text).not.toContain('somebody');
  });

  test('leaves another application’s payload encrypted', async () => {
    const { token } = await open();
    const theirs = await stored('bookshop');
    const answer = await decode(token, [theirs, await stored()]);
    expect(answer.body).toEqual({ payloads: [...toWire([theirs]).payloads, plain] });
    const other = await open(ApiFixture.bookshopKey);
    expect((await decode(other.token, [theirs])).body).toEqual({ payloads: [plain] });
  });

  test('decrypts a payload that names no application only where there is one application', async () => {
    const unbound = unboundPayload(fromWire({ payloads: [plain] })[0]!, 'test', codecKeys.keys.get('test')!);
    expect((await decode((await open()).token, [unbound])).body).toEqual(toWire([unbound]));
    const config = configuration(api.databaseUrl);
    const alone = await ApiFixture.start({
      databaseUrl: api.databaseUrl,
      applications: config.applications.slice(0, 1),
      apiKeys: config.apiKeys.slice(0, 1),
    });
    const { token } = await open(ApiFixture.shopKey, alone);
    expect((await decode(token, [unbound], {}, alone)).body).toEqual({ payloads: [plain] });
    await alone.close();
  });

  test.each([
    ['of another key', { encoding: 'binary/encrypted-in-place', 'encryption-key-id': 'x' }],
    ['cut short', { encoding: 'binary/encrypted', 'encryption-key-id': 'test' }],
    ['too short for its nonce', { encoding: 'sealed/2' }],
  ])('refuses a payload %s with 400', async (_case, metadata) => {
    const { token } = await open();
    const bytes = Object.entries(metadata).map(([name, value]) => [name, Buffer.from(value)]);
    const answer = await decode(token, [{ metadata: Object.fromEntries(bytes), data: Buffer.alloc(3) }]);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ type: 'urn:payments:problem:malformed-request' });
  });

  test('shows unencrypted payloads unchanged beside those that it decrypts', async () => {
    const { token } = await open();
    const answer = await decode(token, [...fromWire({ payloads: [plain] }), await stored()]);
    expect(answer.body).toEqual({ payloads: [plain, plain] });
  });

  test('refuses a payload that was tampered with', async () => {
    const { token } = await open();
    const payload = await stored();
    const data = Buffer.from(payload.data ?? []);
    data[20]! ^= 1;
    expect((await decode(token, [{ ...payload, data }])).status).toBe(400);
  });

  test('names the wrong field of a malformed request', async () => {
    const { token } = await open();
    const answer = await decode(token, [], { body: { payloads: [{ data: 'not base64!' }] } });
    expect(answer.status).toBe(422);
    expect(answer.body['errors']).toMatchObject([{ pointer: '/payloads/0/data' }]);
  });
});

describe('a codec session', () => {
  test('records who opened it and how much was read in it', async () => {
    const { id, token } = await open();
    await decode(token, [await stored(), await stored()]);
    const { body } = await api.call('GET', '/v1/codec-sessions');
    expect(body['data']).toContainEqual(
      expect.objectContaining({ id, keyId: 'shop', payloadsShown: 2, lastUsedAt: expect.any(String) }),
    );
    const theirs = await api.call('GET', '/v1/codec-sessions', { apiKey: ApiFixture.bookshopKey });
    expect(theirs.text).not.toContain(id);
    expect(JSON.stringify(body)).not.toContain(token);
    const rows = await api.db
      .selectFrom('codec_sessions' as never)
      .selectAll()
      .execute();
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test('is read at the address that its opening names, by its own application only', async () => {
    const opened = await api.call('POST', '/v1/codec-sessions');
    const address = new URL(opened.headers.get('location') ?? '');
    expect(address.pathname).toBe(`/v1/codec-sessions/${String(opened.body['id'])}`);
    const { token: _secret, signInUrl: _link, ...session } = opened.body;
    expect(await api.call('GET', address.pathname)).toMatchObject({ status: 200, body: session });
    const theirs = await api.call('GET', address.pathname, { apiKey: ApiFixture.bookshopKey });
    expect(theirs.status).toBe(404);
  });

  test('ends at once when its own application, and no other, revokes it', async () => {
    const { id, token } = await open();
    const path = `/v1/codec-sessions/${id}`;
    expect((await api.call('DELETE', path, { apiKey: ApiFixture.bookshopKey })).status).toBe(404);
    expect((await decode(token, [])).status).toBe(200);
    expect((await api.call('DELETE', path)).body).toMatchObject({ id, revokedAt: expect.any(String) });
    expect((await decode(token, [])).status).toBe(401);
  });

  test('ends after its hour', async () => {
    const { id, token, ...session } = await open();
    const { expiresAt, createdAt } = session as unknown as Record<string, string>;
    expect(Date.parse(expiresAt ?? '') - Date.parse(createdAt ?? '')).toBe(3_600_000);
    const passed = { expires_at: new Date(Date.now() - 1) };
    await api.db
      .updateTable('codec_sessions' as never)
      .set(passed as never)
      .where('id' as never, '=', id as never)
      .execute();
    expect((await decode(token, [])).status).toBe(401);
  });

  test('ends when its API key is removed', async () => {
    const { token } = await open();
    const { apiKeys } = configuration(api.databaseUrl);
    const without = await ApiFixture.start({ databaseUrl: api.databaseUrl, apiKeys: apiKeys.slice(1) });
    expect((await decode(token, [], {}, without)).status).toBe(401);
    await without.close();
  });

  test('is given to a browser by its link, once', async () => {
    const session = await open();
    const cookie = await signIn(session);
    expect(cookie).toMatch(
      /^codec_session=[\w-]{43}; Path=\/codec; Max-Age=3[56]\d\d; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await decode(null, [await stored()], browser(cookie))).body).toEqual({ payloads: [plain] });
    expect((await decode(session.token, [])).status).toBe(401);
    const again = await api.call('GET', new URL(session.signInUrl).pathname, { apiKey: null });
    expect(again.status).toBe(404);
    expect(again.headers.get('set-cookie')).toBeNull();
  });
});

describe('a page in a browser', () => {
  const preflight = {
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'content-type',
  };

  test('of Temporal’s UI may call with its cookie', async () => {
    const headers = { origin: temporalUi, ...preflight };
    const asked = await api.call('OPTIONS', '/codec/decode', { apiKey: null, headers });
    expect(asked.status).toBe(204);
    expect(asked.headers.get('access-control-allow-origin')).toBe(temporalUi);
    expect(asked.headers.get('access-control-allow-credentials')).toBe('true');
    expect(asked.headers.get('access-control-allow-headers')).toContain('content-type');
    const called = await decode(null, [], browser(await signIn(await open())));
    expect(called.status).toBe(200);
    expect(called.headers.get('access-control-allow-origin')).toBe(temporalUi);
  });

  test('of any other origin may not call, with or without a cookie', async () => {
    const origin = 'http://evil.example';
    const asked = await api.call('OPTIONS', '/codec/decode', {
      apiKey: null,
      headers: { origin, ...preflight },
    });
    expect(asked.headers.get('access-control-allow-origin')).toBeNull();
    const called = await decode(null, [], browser(await signIn(await open()), origin));
    expect(called.status).toBe(401);
  });

  test('without a session learns only that it needs one', async () => {
    const called = await decode(null, [await stored()], { headers: { origin: temporalUi } });
    expect(called.status).toBe(401);
    expect(called.headers.get('access-control-allow-origin')).toBe(temporalUi);
  });
});
