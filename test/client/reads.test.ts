import { describe, expect, it } from 'vitest';
import { MalformedAnswerError, UnavailableError } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { wireAuthorization, wirePayment, error } from './answers.js';
import { hangUp, json, neverAnswer, raw, truncated, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const get = (client = provider.client()) => client.payments.get('PAY-1');

/** Case 5 of docs/failure-cases.md. */
describe('a read', () => {
  it.each([
    ['the connection breaks', hangUp],
    ['the answer is cut short', truncated(200, wirePayment)],
    ['the answer is no JSON', raw(200, 'not json')],
    ['a required field is missing', json(200, { state: 'approved' })],
    ['the provider fails inside', json(500, error('INTERNAL_SERVER_ERROR'))],
    ['the provider is busy', json(503, error('SERVICE_UNAVAILABLE'), { 'retry-after': '0' })],
    ['the rate is too high', json(429, error('RATE_LIMIT_REACHED'), { 'retry-after': '0' })],
    ['a gateway finds no such route', json(404, { error: 'route_not_found' })],
  ])('is repeated when %s', async (_, behaviour) => {
    provider.script(behaviour, behaviour, json(200, wirePayment));
    await expect(get()).resolves.toMatchObject({ id: 'PAY-1' });
    expect(provider.requests).toHaveLength(3);
  });

  it('fails as a malformed answer, naming the fields, when no attempt returns it whole', async () => {
    provider.script(json(200, { id: 'PAY-1' }));
    const outcome = await get().catch((thrown: unknown) => thrown);
    expect(outcome).toBeInstanceOf(MalformedAnswerError);
    expect(outcome).toBeInstanceOf(UnavailableError);
    expect(outcome).toMatchObject({ kind: 'unavailable', fields: ['state'], status: 200 });
    expect(provider.requests).toHaveLength(4);
  });

  it('accepts unknown enum values and unknown fields', async () => {
    provider.script(json(200, { ...wirePayment, state: 'on_the_moon', news: [{ a: 1 }] }));
    await expect(get()).resolves.toMatchObject({ state: 'on_the_moon' });
  });

  it('finds the authorization in the links when the answer names it nowhere else (2.2)', async () => {
    const { id, state } = wirePayment;
    provider.script(json(200, { id, state, transactions: [{ links: wireAuthorization.links }] }));
    const payment = await get();
    expect(payment.transactions[0]).toMatchObject({ authorizationId: 'AUTH-1', authorizations: [] });
  });

  it('treats an unreadable deadline as absent', async () => {
    provider.script(json(200, { ...wireAuthorization, valid_until: 'soon' }));
    await expect(provider.client().authorizations.get('AUTH-1')).resolves.toMatchObject({
      validUntil: undefined,
    });
  });

  it('accepts no approval address that a browser should not open', async () => {
    provider.script(
      json(200, { ...wirePayment, links: [{ rel: 'approval_url', href: 'javascript:alert(1)' }] }),
    );
    await expect(get()).resolves.toMatchObject({ approvalUrl: undefined });
  });

  it('refuses an endless answer, in bounded memory', async () => {
    provider.script((response) => {
      response.writeHead(200);
      const block = Buffer.alloc(1024 * 1024, 0x20);
      const more = () => {
        if (!response.destroyed) response.write(block, more);
      };
      more();
    });
    const client = provider.client({ retry: { maxAttempts: 1 } });
    await expect(get(client)).rejects.toMatchObject({ kind: 'unavailable', reason: 'malformed_answer' });
  });

  it('follows no redirect', async () => {
    provider.script(raw(302, '', { location: `${provider.url}/v1/payments/payment/PAY-2` }));
    await expect(get(provider.client({ retry: { maxAttempts: 1 } }))).rejects.toMatchObject({
      kind: 'unavailable',
      reason: 'unexpected_status',
    });
    expect(provider.requests).toHaveLength(1);
  });

  it.each(['in flight', 'between attempts'])(
    'ends with its caller’s reason when aborted %s',
    async (moment) => {
      const abort = new AbortController();
      const reason = new Error('the caller left');
      provider.script(moment === 'in flight' ? neverAnswer : json(503, {}, { 'retry-after': '20' }));
      const call = provider.client().payments.get('PAY-1', { signal: abort.signal });
      await provider.received(1);
      abort.abort(reason);
      await expect(call).rejects.toBe(reason);
    },
  );
});
