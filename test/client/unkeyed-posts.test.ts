import { type AddressInfo, createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { RateLimitedError, UnavailableError, UnknownOutcomeError } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, wireCapture, wirePayment, error } from './answers.js';
import { hangUp, json, neverAnswer, raw, truncated, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };
const capture = (client = provider.client()) => client.authorizations.capture('AUTH-1', captureRequest, key);

/** Retried within policy, or a typed error; the run does not stick. */
describe('case 5: a money POST that must be reconciled (capture)', () => {
  it.each([
    ['the reply is lost', hangUp, 'connection_lost'],
    ['the answer is cut short', truncated(201, wireCapture), 'connection_lost'],
    ['the answer is no JSON', raw(201, '<html>ok</html>'), 'malformed_answer'],
    ['the answer is no UTF-8', raw(201, Buffer.from([0x7b, 0xff, 0x7d])), 'malformed_answer'],
    [
      'a text in it is no UTF-8',
      raw(201, Buffer.from(JSON.stringify({ ...wireCapture, invoice_number: 'caf\u00e9' }), 'latin1')),
      'malformed_answer',
    ],
    ['the answer is empty', raw(201, ''), 'malformed_answer'],
    ['a required field is missing', json(201, { ...wireCapture, state: undefined }), 'malformed_answer'],
    ['the provider fails inside', json(500, error('INTERNAL_SERVER_ERROR')), 'server_error'],
    ['the provider is busy', json(503, error('SERVICE_UNAVAILABLE'), { 'retry-after': '0' }), 'server_error'],
    ['the server gave up waiting', raw(408, ''), 'unexpected_status'],
    ['the provider gave up waiting', json(408, error('REQUEST_TIMEOUT')), 'unexpected_status'],
    ['a gateway refuses', raw(403, '<html>forbidden</html>'), 'unexpected_status'],
    ['a gateway finds no page', raw(404, '<html>no such page</html>'), 'unexpected_status'],
    ['a gateway has its own words', json(404, { error: 'Forbidden', status: 404 }), 'unexpected_status'],
    ['a gateway names it its own way', json(400, { name: 'BadRequestError' }), 'unexpected_status'],
    ['a gateway has a code', json(404, { error: 'route_not_found' }), 'unexpected_status'],
    ['a gateway denies access', json(403, { error: 'access_denied' }), 'unexpected_status'],
    ['a gateway ends a session', json(401, { error: 'session_expired' }), 'unexpected_status'],
    [
      'a gateway counts requests',
      json(429, { error: 'too_many_requests' }, { 'retry-after': '0' }),
      'unexpected_status',
    ],
    ['a gateway wants less', raw(429, '', { 'retry-after': '0' }), 'unexpected_status'],
    ['a gateway knows no token', raw(401, ''), 'unexpected_status'],
    ['a refusal is cut short', truncated(422, error('UNPROCESSABLE_ENTITY')), 'connection_lost'],
    ['the answer points elsewhere', raw(303, '', { location: 'http://127.0.0.1:1/' }), 'unexpected_status'],
  ] as const)('is sent once and of unknown outcome when %s', async (_, behaviour, reason) => {
    provider.script(behaviour);
    const outcome = await capture().catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(UnknownOutcomeError);
    expect(outcome).toMatchObject({
      kind: 'unknown_outcome',
      reason,
      operation: 'authorization.capture',
      ...key,
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('is sent once and of unknown outcome when the answer takes too long', async () => {
    provider.script(neverAnswer);
    await expect(capture(provider.client({ attemptTimeoutMs: 1_000 }))).rejects.toMatchObject({
      kind: 'unknown_outcome',
      reason: 'timed_out',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it('is of unknown outcome when its caller aborts after it was sent', async () => {
    provider.script(neverAnswer);
    const abort = new AbortController();
    const call = provider
      .client()
      .authorizations.capture('AUTH-1', captureRequest, { ...key, signal: abort.signal });
    await provider.received(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ kind: 'unknown_outcome', reason: 'aborted' });
  });

  it('names the capture that a malformed success mentions', async () => {
    provider.script(json(201, { ...wireCapture, amount: undefined }));
    await expect(capture()).rejects.toMatchObject({
      status: 201,
      evidence: { resourceId: 'CAP-1', fields: ['amount'] },
    });
  });

  it('is repeated after 429, which says that nothing was done', async () => {
    provider.script(json(429, error('RATE_LIMIT_REACHED'), { 'retry-after': '0' }), json(201, wireCapture));
    await expect(capture()).resolves.toMatchObject({ id: 'CAP-1', state: 'completed' });
    expect(provider.requests).toHaveLength(2);
  });

  it('returns Retry-After at once when that wait would break the time limit', async () => {
    provider.script(json(429, error('RATE_LIMIT_REACHED'), { 'retry-after': '3600' }));
    const outcome = await capture().catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(RateLimitedError);
    expect(outcome).toMatchObject({ retryAfterMs: 3_600_000, debugId: 'debug-1', status: 429 });
    expect(provider.requests).toHaveLength(1);
  });

  it('accepts a Retry-After given as a date', async () => {
    const date = new Date(Date.now() + 3_600_000).toUTCString();
    provider.script(json(429, error('RATE_LIMIT_REACHED'), { 'retry-after': date }));
    const { retryAfterMs } = (await capture().catch((thrown: unknown) => thrown)) as RateLimitedError;
    expect(retryAfterMs).toBeGreaterThan(3_500_000);
    expect(retryAfterMs).toBeLessThanOrEqual(3_600_000);
  });

  it('is unavailable, not of unknown outcome, when nothing listens', async () => {
    const closed = await closedPort();
    provider.script(json(201, wireCapture));
    const client = provider.client({ baseUrl: `http://127.0.0.1:${closed}` });
    await expect(capture(client)).rejects.toMatchObject({ kind: 'unavailable', reason: 'token_unavailable' });
  });

  it('is repeated within the retry policy, and has no unknown outcome, while it provably is not sent', async () => {
    const failures: unknown[] = [];
    provider.script(json(200, wirePayment));
    const client = provider.client({
      onCall: ({ operation, failure }) => failures.push(`${operation} ${failure}`),
    });
    await client.payments.get('PAY-1');
    await provider.stop();
    // A read first, which may still meet the connection that is just closing.
    await client.payments.get('PAY-1').catch(() => undefined);
    failures.length = 0;
    const outcome = await capture(client).catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(UnavailableError);
    expect(outcome).toMatchObject({ reason: 'connection_failed', code: 'ECONNREFUSED' });
    expect(failures).toHaveLength(4);
    expect(new Set(failures)).toEqual(new Set(['authorization.capture connection_failed']));
  });

  it('returns amount, references and related ids in one spelling', async () => {
    provider.script(json(201, { ...wireCapture, surprise: { deep: [1] }, custom: null }));
    await expect(capture()).resolves.toEqual({
      id: 'CAP-1',
      state: 'completed',
      amount: { value: '10.60', currency: 'USD' },
      isFinalCapture: true,
      invoiceNumber: 'invoice-1',
      custom: undefined,
      paymentId: 'PAY-1',
      authorizationId: 'AUTH-1',
      reasonCode: undefined,
      createTime: '2024-03-02T10:00:00Z',
      updateTime: undefined,
    });
    const [sent] = provider.requests;
    expect(sent?.path).toBe('/v1/payments/authorization/AUTH-1/capture');
    expect(sent?.headers).toMatchObject({
      'paypal-request-id': 'request-1',
      'content-type': 'application/json',
    });
    expect(JSON.parse(sent?.body ?? '')).toEqual({
      amount: { total: '10.60', currency: 'USD' },
      is_final_capture: true,
      invoice_number: 'invoice-1',
    });
  });
});

async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
