import { describe, expect, it } from 'vitest';
import type { CaptureRequest, CreatePaymentRequest } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, paymentRequest, wireCapture, wirePayment } from './answers.js';
import { json, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };

type Transaction = CreatePaymentRequest['transactions'][number];

const partsOf = (amountDetails: Transaction['amountDetails']): CreatePaymentRequest => ({
  ...paymentRequest,
  transactions: [{ amount: { value: '10.60', currency: 'USD' }, amountDetails }],
});

describe('a request', () => {
  it('is sent in the specification’s spelling, and in the public API’s when configured so', async () => {
    provider.script(json(201, wirePayment));
    for (const dialect of ['interface', 'paypal-v1'] as const) {
      await provider.client({ dialect }).payments.create(paymentRequest, key);
    }
    const [specified, publicApi] = provider.requests.map(({ body }) => JSON.parse(body) as object);
    expect(specified).toEqual({
      intent: 'authorize',
      payer: { payment_method: expect.any(String) },
      redirect_urls: { return_url: 'https://shop.example/return', cancel_url: 'https://shop.example/cancel' },
      transactions: [
        { amount: { total: '10.60', currency: 'USD' }, payee: { email: 'payee@private.example' } },
      ],
    });
    expect(publicApi).toEqual({ ...specified, payer: { payment_method: 'paypal' } });
  });

  it('has the parts of its amount, the discount as a negative one', async () => {
    provider.script(json(201, wirePayment));
    const amountDetails = { subtotal: '9', shipping: '2.1', handlingFee: '0.50', shippingDiscount: '1' };
    await provider.client().payments.create(partsOf(amountDetails), key);
    expect(JSON.parse(provider.requests[0]?.body ?? '')).toMatchObject({
      transactions: [
        {
          amount: {
            total: '10.60',
            details: { subtotal: '9.00', shipping: '2.10', handling_fee: '0.50', shipping_discount: '-1.00' },
          },
        },
      ],
    });
  });

  it.each([
    ['that add up to another amount', { subtotal: '10.59' }],
    ['that are negative', { subtotal: '11.00', tax: '-0.40' }],
    ['that are none', { subtotal: '10.60', giftWrap: 'free' }],
  ])('with parts %s is refused before anything is sent', async (_, amountDetails) => {
    await expect(provider.client().payments.create(partsOf(amountDetails), key)).rejects.toMatchObject({
      issues: [{ field: 'transactions.0.amountDetails' }],
    });
    expect(provider.requests).toHaveLength(0);
  });

  it.each([
    ['10.6', 'USD', '10.60'],
    ['10', 'USD', '10.00'],
    ['1000', 'JPY', '1000'],
    ['1.5', 'KWD', '1.500'],
  ])('sends %s %s as %s', async (value, currency, total) => {
    provider.script(json(201, wireCapture));
    const request = { ...captureRequest, amount: { value, currency } };
    await provider.client().authorizations.capture('AUTH-1', request, key);
    expect(JSON.parse(provider.requests[0]?.body ?? '')).toMatchObject({ amount: { total, currency } });
  });

  it.each([
    ['a fraction of a cent', { amount: { value: '10.601', currency: 'USD' } }, 'amount'],
    ['a fraction of a yen', { amount: { value: '10.5', currency: 'JPY' } }, 'amount'],
    ['nothing', { amount: { value: '0.00', currency: 'USD' } }, 'amount'],
    ['less than nothing', { amount: { value: '-1.00', currency: 'USD' } }, 'amount'],
    ['no decimal', { amount: { value: '1e3', currency: 'USD' } }, 'amount'],
    ['no currency', { amount: { value: '1.00', currency: 'usd' } }, 'amount'],
    ['a number', { amount: { value: 1, currency: 'USD' } }, 'amount.value'],
    ['a misspelt field', { isFinalcapture: true }, ''],
    ['no reference', { invoiceNumber: undefined }, 'invoiceNumber'],
  ])('with %s is refused before anything is sent', async (_, change, field) => {
    const request = { ...captureRequest, ...change } as CaptureRequest;
    await expect(provider.client().authorizations.capture('AUTH-1', request, key)).rejects.toMatchObject({
      kind: 'rejected',
      code: 'VALIDATION_ERROR',
      status: undefined,
      issues: [{ field }],
    });
    expect(provider.requests).toHaveLength(0);
    expect(provider.tokenRequests).toHaveLength(0);
  });

  it.each(['javascript:alert(1)', 'file:///etc/passwd', '/return', ''])(
    'with %j as return address is refused before anything is sent',
    async (returnUrl) => {
      const request: CreatePaymentRequest = { ...paymentRequest, returnUrl };
      await expect(provider.client().payments.create(request, key)).rejects.toMatchObject({
        kind: 'rejected',
        issues: [{ field: 'returnUrl' }],
      });
    },
  );

  it.each(['', '../oauth2/token', 'AUTH-1/void', 'AUTH-1?x=1', 'AUTH-1#', '.', 'a'.repeat(129)])(
    'for the id %j is refused before anything is sent: it would address something else',
    async (id) => {
      await expect(provider.client().authorizations.get(id)).rejects.toMatchObject({
        issues: [{ field: 'id' }],
      });
      expect(provider.requests).toHaveLength(0);
    },
  );

  it.each(['', 'x'.repeat(79), 'line\r\nbreak', 'späce'])('with the key %j is refused', async (requestId) => {
    await expect(provider.client().authorizations.void('AUTH-1', { requestId })).rejects.toMatchObject({
      issues: [{ field: 'requestId' }],
    });
    expect(provider.requests).toHaveLength(0);
  });

  it('carries its key in the configured header', async () => {
    provider.script(json(201, wireCapture));
    const client = provider.client({ requestIdHeader: 'Idempotency-Key' });
    await client.authorizations.capture('AUTH-1', captureRequest, key);
    expect(provider.requests[0]?.headers['idempotency-key']).toBe('request-1');
  });

  it('is sent below the path that a gateway adds', async () => {
    provider.script(json(200, wirePayment));
    provider.scriptTokens();
    const client = provider.client({ baseUrl: `${provider.url}/gateway/` });
    // The token address lies below the same path, so the scripted calls see it too.
    provider.script(
      json(200, { access_token: 't', expires_in: 60, token_type: 'Bearer' }),
      json(200, wirePayment),
    );
    await client.payments.get('PAY-1');
    expect(provider.requests.map(({ path }) => path)).toEqual([
      '/gateway/v1/oauth2/token',
      '/gateway/v1/payments/payment/PAY-1',
    ]);
  });

  it('treats a page without its list as empty only where that is allowed', async () => {
    provider.script(json(200, { count: 0 }), json(200, { count: 1 }), json(200, {}));
    const { payments } = provider.client();
    expect(await payments.list()).toEqual({ payments: [], nextId: undefined });
    await expect(payments.list()).rejects.toMatchObject({ kind: 'unavailable' });
    await expect(payments.list()).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('refuses a page that lists fewer than it counts', async () => {
    provider.script(
      json(200, { payments: [], count: 1 }),
      json(200, { payments: [wirePayment], count: '2' }),
      json(200, { payments: [wirePayment], count: 'some' }),
      json(200, { payments: [wirePayment] }),
    );
    const { payments } = provider.client({ retry: { maxAttempts: 1 } });
    await expect(payments.list()).rejects.toMatchObject({ name: 'MalformedAnswerError' });
    await expect(payments.list()).rejects.toMatchObject({ name: 'MalformedAnswerError' });
    expect((await payments.list()).payments).toHaveLength(1);
    expect((await payments.list()).payments).toHaveLength(1);
  });

  it('searches payments page by page', async () => {
    provider.script(
      json(200, { payments: [wirePayment], count: 1, next_id: 'PAY-2' }),
      json(200, { payments: [], count: 0, next_id: '' }),
    );
    const { payments } = provider.client();
    const first = await payments.list({ count: 20, startTime: '2024-03-01T00:00:00Z' });
    const last = await payments.list({ startId: first.nextId });
    expect(first.payments.map(({ id }) => id)).toEqual(['PAY-1']);
    expect(last).toEqual({ payments: [], nextId: undefined });
    const queries = provider.requests.map(({ path }) =>
      Object.fromEntries(new URL(path, provider.url).searchParams),
    );
    expect(queries).toEqual([
      { count: '20', start_time: '2024-03-01T00:00:00Z', sort_by: 'create_time', sort_order: 'desc' },
      { start_id: 'PAY-2', sort_by: 'create_time', sort_order: 'desc' },
    ]);
  });

  it('manages webhooks', async () => {
    const webhook = {
      id: 'WH-1',
      url: 'https://api.example/hook',
      event_types: [{ name: '*', description: 'all' }],
    };
    provider.script(
      json(201, webhook),
      json(200, webhook),
      json(200, { webhooks: [webhook] }),
      (response) => {
        response.writeHead(204).end();
      },
    );
    const { webhooks } = provider.client();
    const expected = { id: 'WH-1', url: 'https://api.example/hook', eventTypes: ['*'] };
    await expect(webhooks.create({ url: webhook.url, eventTypes: ['*'] })).resolves.toEqual(expected);
    await expect(webhooks.get('WH-1')).resolves.toEqual(expected);
    await expect(webhooks.list()).resolves.toEqual([expected]);
    await expect(webhooks.delete('WH-1')).resolves.toBeUndefined();
    expect(provider.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/notifications/webhooks',
      'GET /v1/notifications/webhooks/WH-1',
      'GET /v1/notifications/webhooks',
      'DELETE /v1/notifications/webhooks/WH-1',
    ]);
    expect(JSON.parse(provider.requests[0]?.body ?? '')).toEqual({
      url: webhook.url,
      event_types: [{ name: '*' }],
    });
  });
});
