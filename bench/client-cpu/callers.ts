import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { Pool } from 'undici';
import { PaymentsClient } from '#payments-client';
import { cannedIds } from './canned-answers.js';

/** A way to call the payments service: one `sequence` is create, execute, read and capture. */
export interface Caller {
  readonly name: 'ours' | 'oursWithCallHistory' | 'undici' | 'paypalRestSdk';
  sequence(): Promise<void>;
  close(): Promise<void>;
}

/** Microseconds of CPU per call, one figure per round, by caller. */
export type ClientCpu = Readonly<Record<Caller['name'], readonly number[]>>;

export const callsPerSequence = 4;

const { paymentId, authorizationId, payerId } = cannedIds;
const urls = { returnUrl: 'https://shop.example/paid', cancelUrl: 'https://shop.example/cancelled' };
const references = { invoiceNumber: 'pay_0001-1-0', custom: 'pay_0001' };

/** Our client: requests and answers validated, token handled, errors typed. */
export function ourClient(origin: string, history?: 'callHistory'): Caller {
  const client = new PaymentsClient({
    baseUrl: origin,
    clientId: 'bench',
    clientSecret: 'bench',
    // Like the worker's hook: redacted copies of all facts of a call.
    ...(history && {
      onCall: ({ request, response, requestHeaders, responseHeaders }) =>
        keep(request, response, requestHeaders, responseHeaders),
    }),
  });
  return {
    name: history ? 'oursWithCallHistory' : 'ours',
    async sequence() {
      const transaction = { amount: { value: '10.00', currency: 'USD' }, ...references };
      await client.payments.create({ intent: 'authorize', ...urls, transactions: [transaction] }, key());
      await client.payments.execute(paymentId, { payerId }, key());
      await client.payments.get(paymentId);
      const amount = { value: '10.00', currency: 'USD' };
      const request = { amount, isFinalCapture: true, invoiceNumber: references.invoiceNumber };
      await client.authorizations.capture(authorizationId, request, key());
    },
    close: () => client.close(),
  };
}

function key(): { requestId: string } {
  return { requestId: randomUUID() };
}

function keep(..._copies: readonly unknown[]): void {}

const wireRequests = {
  create: {
    intent: 'authorize',
    payer: { payment_method: 'wallet' },
    redirect_urls: { return_url: urls.returnUrl, cancel_url: urls.cancelUrl },
    transactions: [
      {
        amount: { total: '10.00', currency: 'USD' },
        invoice_number: references.invoiceNumber,
        custom: references.custom,
      },
    ],
  },
  execute: { payer_id: payerId },
  capture: {
    amount: { total: '10.00', currency: 'USD' },
    is_final_capture: true,
    invoice_number: references.invoiceNumber,
  },
};

/** `undici.request` and `body.json()` on the same kind of pool: nothing checked, no time limits of its own. */
export function bareUndici(origin: string): Caller {
  const pool = new Pool(origin, { connections: 64, allowH2: false });
  const call = async (method: 'GET' | 'POST', path: string, body?: object): Promise<void> => {
    const headers = {
      accept: 'application/json',
      authorization: 'Bearer bench',
      ...(body && { 'content-type': 'application/json', 'PayPal-Request-Id': randomUUID() }),
    };
    const answer = await pool.request({
      method,
      path,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    await answer.body.json();
  };
  return {
    name: 'undici',
    async sequence() {
      await call('POST', '/v1/payments/payment', wireRequests.create);
      await call('POST', `/v1/payments/payment/${paymentId}/execute`, wireRequests.execute);
      await call('GET', `/v1/payments/payment/${paymentId}`);
      await call('POST', `/v1/payments/authorization/${authorizationId}/capture`, wireRequests.capture);
    },
    close: () => pool.close(),
  };
}

type Callback = (error: unknown, answer: unknown) => void;

interface PaypalRestSdk {
  configure(options: object): void;
  readonly payment: {
    create(body: object, callback: Callback): void;
    execute(id: string, body: object, callback: Callback): void;
    get(id: string, callback: Callback): void;
  };
  readonly authorization: { capture(id: string, body: object, callback: Callback): void };
}

/** npm paypal-rest-sdk 1.8.1, the public client of this interface, on Node's own keep-alive agent. */
export function paypalRestSdk(origin: string): Caller {
  const require = createRequire(import.meta.url);
  const sdk = require('paypal-rest-sdk') as PaypalRestSdk;
  const { hostname, port } = new URL(origin);
  // It knows two hosts only, by mode, and no option for another one.
  const endpoints = require('paypal-rest-sdk/lib/utils') as { getDefaultApiEndpoint: () => string };
  endpoints.getDefaultApiEndpoint = () => hostname;
  sdk.configure({ schema: 'http', port, client_id: 'bench', client_secret: 'bench' });
  const create = promisify(sdk.payment.create.bind(sdk.payment));
  const execute = promisify(sdk.payment.execute.bind(sdk.payment));
  const get = promisify(sdk.payment.get.bind(sdk.payment));
  const capture = promisify(sdk.authorization.capture.bind(sdk.authorization));
  return {
    name: 'paypalRestSdk',
    async sequence() {
      await create(wireRequests.create);
      await execute(paymentId, wireRequests.execute);
      await get(paymentId);
      await capture(authorizationId, wireRequests.capture);
    },
    close: () => Promise.resolve(),
  };
}
