import { inspect } from 'node:util';
import { beforeEach, describe, expect, it } from 'vitest';
import { type CallRecord, PaymentsError } from '#payments-client';
import { forEachTest } from '../helpers/shared.js';
import { captureRequest, paymentRequest, wireAuthorization, wirePayment } from './answers.js';
import { hangUp, json, raw, startScriptedProvider } from './scripted-provider.js';

const provider = forEachTest(startScriptedProvider);

const key = { requestId: 'request-1' };
const SECRETS = ['planted', 'private.example', 'PLANTED', 'PAYER1', 'Ada', 'unguessable'];

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

/** Everything through which a record or an error may leave the process. */
function everyRendering(value: unknown): string {
  return [inspect(value, { depth: 10, showHidden: true }), JSON.stringify(value), String(value)].join('\n');
}

function tellAll(record: CallRecord): string {
  const { request, response, requestHeaders, responseHeaders } = record;
  return everyRendering(record) + JSON.stringify({ request, response, requestHeaders, responseHeaders });
}

/** Case 25 of docs/failure-cases.md: secrets, tokens and e-mail addresses planted everywhere. */
describe('an error', () => {
  const planted = {
    name: 'VALIDATION_ERROR',
    message: 'Bearer planted-access-token of payer@private.example was wrong',
    debug_id: 'debug-1',
    details: [
      { field: 'payee', issue: 'payee@private.example is not known' },
      { field: 'url', issue: 'https://api.example/webhooks/unguessable is taken' },
      { field: 'x', issue: 'Basic planted-client-secret; planted-0123456789-0123456789-0123456789' },
    ],
  };

  it.each([
    ['a refusal that quotes us', json(400, planted)],
    ['a refusal with a hostile name', json(400, { ...planted, name: 'payer@private.example planted' })],
    ['a refusal with a hostile debug id', json(409, { ...planted, debug_id: 'planted Ada' })],
    ['a lost connection', hangUp],
    ['an answer that is no JSON', raw(201, 'Bearer planted-access-token payer@private.example')],
    ['an answer with everything in the wrong place', json(201, { ...wirePayment, id: { planted: 'Ada' } })],
  ])('holds no secret in any rendering: %s', async (_, behaviour) => {
    provider.script(behaviour);
    const error: unknown = await provider
      .client()
      .payments.create(paymentRequest, key)
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(PaymentsError);
    expect((error as PaymentsError).cause).toBeUndefined();
    expectNoSecret(everyRendering(error));
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({
      operation: 'payment.create',
      requestId: 'request-1',
    });
  });

  it('of our own names the field that is wrong, not its content', async () => {
    const request = { ...paymentRequest, returnUrl: 'planted: payer@private.example' };
    const error: unknown = await provider
      .client()
      .payments.create(request, key)
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: 'rejected', issues: [{ field: 'returnUrl' }] });
    expectNoSecret(everyRendering(error));
  });
});

describe('a call record', () => {
  const records: CallRecord[] = [];
  beforeEach(() => {
    records.length = 0;
  });
  const client = () => provider.client({ onCall: (record) => records.push(record) });

  it('describes the whole call and none of its secrets', async () => {
    provider.script(json(201, wirePayment, { 'paypal-debug-id': 'debug-1', 'set-cookie': 'planted' }));
    await client().payments.create(
      {
        ...paymentRequest,
        transactions: [
          {
            ...paymentRequest.transactions[0],
            invoiceNumber: 'order-1',
            description: 'for payer@private.example',
          },
        ],
      },
      key,
    );
    expect(records).toMatchObject([
      { operation: 'token', method: 'POST', path: '/v1/oauth2/token', status: 200, attempt: 1 },
      {
        operation: 'payment.create',
        path: '/v1/payments/payment',
        status: 201,
        failure: null,
        requestId: 'request-1',
        debugId: 'debug-1',
        transactionId: 'AUTH-1',
        attempt: 1,
      },
    ]);
    const record = records[1]!;
    expect(record.request).toMatchObject({
      intent: 'authorize',
      transactions: [
        { amount: { total: '10.60' }, invoice_number: 'order-1', payee: { email: '[redacted]' } },
      ],
    });
    expect(record.response).toMatchObject({
      state: 'approved',
      payer: { status: 'VERIFIED', payer_info: '[redacted]' },
    });
    expect(record.requestHeaders).toEqual({
      accept: 'application/json',
      'content-type': 'application/json',
      'paypal-request-id': 'request-1',
    });
    expect(record.responseHeaders).toMatchObject({ 'paypal-debug-id': 'debug-1' });
    expect(record.startedAt).toBeInstanceOf(Date);
    expectNoSecret(records.map(tellAll).join('\n'));
  });

  it('does not contain a webhook’s unguessable address', async () => {
    const url = 'https://api.example/webhooks/sandbox/shop/unguessable';
    provider.script(json(201, { id: 'WH-1', url, event_types: [{ name: '*' }] }));
    await client().webhooks.create({ url, eventTypes: ['*'] });
    expect(records.at(-1)?.request).toMatchObject({ url: 'https://api.example/[redacted]' });
    expectNoSecret(records.map(tellAll).join('\n'));
  });

  it('holds only the size of an answer that is not JSON', async () => {
    provider.script(raw(200, 'planted payer@private.example'), json(200, wireAuthorization));
    await client().authorizations.get('AUTH-1');
    expect(records.map(({ attempt, response }) => [attempt, response])[1]).toEqual([
      1,
      { unreadableBytes: 29 },
    ]);
    expect(records.at(-1)).toMatchObject({ attempt: 2, transactionId: 'AUTH-1' });
  });

  it('exists for failed exchanges, too', async () => {
    provider.script(hangUp);
    await client()
      .authorizations.capture('AUTH-1', captureRequest, key)
      .catch(() => undefined);
    expect(records.at(-1)).toMatchObject({ status: null, failure: 'connection_lost', response: null });
  });

  it('is passed to a hook whose error does not change the outcome', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error) => warnings.push(warning.message);
    process.on('warning', listen);
    provider.script(json(200, wireAuthorization));
    const careless = provider.client({
      onCall: () => {
        throw new Error('planted');
      },
    });
    await expect(careless.authorizations.get('AUTH-1')).resolves.toMatchObject({ id: 'AUTH-1' });
    await expect.poll(() => warnings.length).toBeGreaterThan(0);
    process.off('warning', listen);
    expectNoSecret(warnings.join('\n'));
  });
});
