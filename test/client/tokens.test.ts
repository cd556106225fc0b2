import { afterEach, describe, expect, it, vi } from 'vitest';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, wireCapture, wirePayment } from './answers.js';
import {
  type Behaviour,
  hangUp,
  issueToken,
  json,
  raw,
  startScriptedProvider,
  tokenRefused,
} from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);
afterEach(() => {
  vi.useRealTimers();
});

/** Moves the clock that tokens age by: no machine is too slow to call while one is in its last tenth. */
function stopClock(): void {
  vi.useFakeTimers({ toFake: ['performance'] });
}

const key = { requestId: 'request-1' };

/** The provider's own check: 401 to every token but the one in force. */
const onlyWith =
  (token: () => string, behaviour: Behaviour): Behaviour =>
  (response, request) =>
    (request.headers.authorization === `Bearer ${token()}` ? behaviour : tokenRefused)(response, request);

describe('case 6: a token', () => {
  it('is requested once by 100 concurrent calls on a new client', async () => {
    provider.script(json(200, wirePayment));
    const client = provider.client();
    await Promise.all(Array.from({ length: 100 }, () => client.payments.get('PAY-1')));
    expect(provider.tokenRequests).toHaveLength(1);
    expect(provider.requests).toHaveLength(100);
  });

  it('is requested as the specification says (section 4)', async () => {
    provider.script(json(200, wirePayment));
    await provider.client().payments.get('PAY-1');
    const [asked] = provider.tokenRequests;
    expect(asked).toMatchObject({ method: 'POST', body: 'grant_type=client_credentials' });
    expect(asked?.headers).toMatchObject({
      accept: 'application/json',
      'accept-language': 'en_US',
      'content-type': 'application/x-www-form-urlencoded',
      authorization: `Basic ${Buffer.from('client-id:planted-client-secret').toString('base64')}`,
    });
    expect(provider.requests[0]?.headers.authorization).toBe('Bearer planted-access-token');
  });

  it('that was revoked is replaced once for 100 concurrent calls, each replayed once', async () => {
    let inForce = 'first';
    provider.scriptTokens(issueToken('first'), issueToken('second'));
    provider.script(onlyWith(() => inForce, json(200, wirePayment)));
    const client = provider.client();
    await client.payments.get('PAY-1');
    inForce = 'second';
    await Promise.all(Array.from({ length: 100 }, () => client.payments.get('PAY-1')));
    expect(provider.tokenRequests).toHaveLength(2);
  });

  it('that was revoked lets even a capture be replayed, because 401 comes before any work', async () => {
    provider.scriptTokens(issueToken('first'), issueToken('second'));
    provider.script(onlyWith(() => 'second', json(201, wireCapture)));
    await expect(
      provider.client().authorizations.capture('AUTH-1', captureRequest, key),
    ).resolves.toMatchObject({ id: 'CAP-1' });
    expect(provider.requests).toHaveLength(2);
  });

  it.each([
    ['a gateway’s code', json(401, { error: 'token_expired' })],
    ['no words', raw(401, '')],
  ])(
    'that is refused with %s is replaced by the next read, and no capture is replayed',
    async (_, refusal) => {
      provider.scriptTokens(issueToken('first'), issueToken('second'));
      const client = provider.client();
      provider.script(refusal, refusal, json(200, wirePayment), json(201, wireCapture));
      const capture = () => client.authorizations.capture('AUTH-1', captureRequest, key);
      await expect(capture()).rejects.toMatchObject({ kind: 'unknown_outcome' });
      expect(provider.requests).toHaveLength(1);
      await expect(client.payments.get('PAY-1')).resolves.toMatchObject({ id: 'PAY-1' });
      await capture();
      expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual(
        ['first', 'first', 'second', 'second'].map((token) => `Bearer ${token}`),
      );
    },
  );

  it('that is newer than the refused one is kept and used', async () => {
    // The first call is refused only after the second call has already brought a new token.
    const refusal = Promise.withResolvers<() => void>();
    provider.scriptTokens(issueToken('first'), issueToken('second'), issueToken('third'));
    provider.script(
      (response, request) => refusal.resolve(() => tokenRefused(response, request)),
      onlyWith(() => 'second', json(200, wirePayment)),
    );
    const client = provider.client();
    const slow = client.payments.get('PAY-1');
    const refuseSlow = await refusal.promise;
    await client.payments.get('PAY-1');
    refuseSlow();
    await expect(slow).resolves.toMatchObject({ id: 'PAY-1' });
    expect(provider.tokenRequests).toHaveLength(2);
  });

  it('is replaced once only: a second 401 is returned', async () => {
    provider.script(tokenRefused);
    await expect(provider.client().payments.get('PAY-1')).rejects.toMatchObject({
      kind: 'unauthorized',
      status: 401,
      code: 'invalid_token',
    });
    expect(provider.requests).toHaveLength(2);
    expect(provider.tokenRequests).toHaveLength(2);
  });

  it('is replaced once per call, not once per attempt', async () => {
    provider.script(tokenRefused, json(503, {}, { 'retry-after': '0' }), tokenRefused);
    await expect(provider.client().payments.get('PAY-1')).rejects.toMatchObject({ kind: 'unauthorized' });
    expect(provider.requests).toHaveLength(3);
  });

  it('that has expired is replaced before it is used', async () => {
    stopClock();
    provider.scriptTokens(issueToken('short', 60), issueToken('long'));
    provider.script(
      onlyWith(() => 'short', json(200, wirePayment)),
      json(200, wirePayment),
    );
    const client = provider.client();
    await client.payments.get('PAY-1');
    vi.advanceTimersByTime(60_000);
    await client.payments.get('PAY-1');
    expect(provider.requests.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer short',
      'Bearer long',
    ]);
    expect(provider.tokenRequests).toHaveLength(2);
  });

  it('is renewed early, while calls still use the old one', async () => {
    const renewal = Promise.withResolvers<() => void>();
    stopClock();
    provider.scriptTokens(issueToken('first', 60), (response, request) => {
      renewal.resolve(() => issueToken('second')(response, request));
    });
    provider.script(json(200, wirePayment));
    const client = provider.client();
    const call = async () => {
      await client.payments.get('PAY-1');
      return provider.requests.at(-1)?.headers.authorization;
    };
    expect(await call()).toBe('Bearer first');
    expect(provider.tokenRequests).toHaveLength(1);
    vi.advanceTimersByTime(55_000);
    expect(await call()).toBe('Bearer first');
    (await renewal.promise)();
    await expect.poll(call).toBe('Bearer second');
    expect(provider.tokenRequests).toHaveLength(2);
  });
});

describe('case 6: a token request that fails', () => {
  it.each([
    ['breaks off', hangUp],
    ['meets an error inside', json(500, {})],
    ['meets a busy server', json(503, {}, { 'retry-after': '0' })],
    ['is answered with no JSON', raw(200, '<html>')],
    ['is answered without a token', json(200, { token_type: 'Bearer', expires_in: 1 })],
    ['is answered with a token that would break a header', issueToken('a\r\nX-Evil: 1')],
  ] as const)('is repeated when it %s', async (_, behaviour) => {
    provider.scriptTokens(behaviour, issueToken());
    provider.script(json(200, wirePayment));
    await expect(provider.client().payments.get('PAY-1')).resolves.toMatchObject({ id: 'PAY-1' });
    expect(provider.tokenRequests).toHaveLength(2);
  });

  it('proves that nothing was sent, and does not affect the next call', async () => {
    const failure = json(503, {}, { 'retry-after': '0' });
    provider.scriptTokens(failure, failure, failure, failure, issueToken());
    provider.script(json(201, wireCapture));
    const { authorizations } = provider.client();
    await expect(authorizations.capture('AUTH-1', captureRequest, key)).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'token_unavailable',
      operation: 'authorization.capture',
      requestId: 'request-1',
      status: 503,
    });
    expect(provider.requests).toHaveLength(0);
    await expect(authorizations.capture('AUTH-1', captureRequest, key)).resolves.toMatchObject({
      id: 'CAP-1',
    });
  });

  it('is not repeated when the credentials are wrong, and the error of each waiting call names that call', async () => {
    provider.scriptTokens(
      json(401, { error: 'invalid_client', error_description: 'Client Authentication failed' }),
    );
    const client = provider.client();
    const outcomes = await Promise.allSettled([
      client.payments.get('PAY-1'),
      client.authorizations.capture('AUTH-1', captureRequest, key),
    ]);
    expect(outcomes).toMatchObject([
      { reason: { kind: 'unauthorized', operation: 'payment.get', code: 'invalid_client' } },
      { reason: { kind: 'unauthorized', operation: 'authorization.capture', requestId: 'request-1' } },
    ]);
    expect(provider.tokenRequests).toHaveLength(1);
  });

  it('keeps the current token when only its renewal failed', async () => {
    stopClock();
    provider.scriptTokens(issueToken('first', 60), json(401, { error: 'invalid_client' }));
    provider.script(json(200, wirePayment));
    const client = provider.client();
    await client.payments.get('PAY-1');
    vi.advanceTimersByTime(55_000);
    await expect
      .poll(async () => {
        await client.payments.get('PAY-1');
        return provider.tokenRequests.length;
      })
      .toBeGreaterThan(1);
    expect(provider.requests.every(({ headers }) => headers.authorization === 'Bearer first')).toBe(true);
  });
});
