/** Answers as the payments service gives them, byte for byte the same in every call: only the client's work differs. */

const origin = 'http://127.0.0.1:4000';
const paymentId = 'PAY-7K2J5T8M3N4P6Q9R1S0V';
const authorizationId = '3XG41234AB567890C';
const captureId = '8F148933LY9388354';

const amount = { total: '10.00', currency: 'USD', details: { subtotal: '10.00' } };
const parentPayment = link('parent_payment', 'GET', `/v1/payments/payment/${paymentId}`);

const created = {
  id: paymentId,
  intent: 'authorize',
  state: 'created',
  payer: { payment_method: 'wallet' },
  transactions: [transaction([])],
  redirect_urls: { return_url: 'https://shop.example/paid', cancel_url: 'https://shop.example/cancelled' },
  create_time: '2025-11-21T11:00:00.000Z',
  update_time: '2025-11-21T11:00:00.000Z',
  links: [
    link('self', 'GET', `/v1/payments/payment/${paymentId}`),
    link('approval_url', 'REDIRECT', '/checkout?token=EC-5YB46624F51226412'),
    link('execute', 'POST', `/v1/payments/payment/${paymentId}/execute`),
  ],
};

const authorization = {
  id: authorizationId,
  create_time: '2025-11-21T11:00:05.000Z',
  update_time: '2025-11-21T11:00:05.000Z',
  state: 'authorized',
  amount,
  parent_payment: paymentId,
  valid_until: '2025-12-20T11:00:05.000Z',
  links: [
    link('self', 'GET', `/v1/payments/authorization/${authorizationId}`),
    link('capture', 'POST', `/v1/payments/authorization/${authorizationId}/capture`),
    link('void', 'POST', `/v1/payments/authorization/${authorizationId}/void`),
    parentPayment,
  ],
};

const executed = {
  ...created,
  state: 'approved',
  payer: {
    payment_method: 'wallet',
    status: 'VERIFIED',
    payer_info: {
      email: 'payer@example.com',
      first_name: 'Sandbox',
      last_name: 'Payer',
      payer_id: 'Z8QK2L4N6P9RS',
    },
  },
  transactions: [transaction([{ authorization }])],
  update_time: '2025-11-21T11:00:05.000Z',
  links: [link('self', 'GET', `/v1/payments/payment/${paymentId}`)],
};

const captured = {
  id: captureId,
  create_time: '2025-11-21T11:00:09.000Z',
  update_time: '2025-11-21T11:00:09.000Z',
  amount: { total: '10.00', currency: 'USD' },
  is_final_capture: true,
  state: 'completed',
  invoice_number: 'pay_0001-3-0',
  parent_payment: paymentId,
  links: [
    link('self', 'GET', `/v1/payments/capture/${captureId}`),
    link('refund', 'POST', `/v1/payments/capture/${captureId}/refund`),
    link('authorization', 'GET', `/v1/payments/authorization/${authorizationId}`),
    parentPayment,
  ],
};

const token = { access_token: 'A21AAFqs7BvPmz0-bench', token_type: 'Bearer', expires_in: 28800 };

export const cannedIds = { paymentId, authorizationId, payerId: 'Z8QK2L4N6P9RS' };

export interface CannedAnswer {
  readonly status: number;
  readonly body: Buffer;
}

/** @param path without its query; a trailing slash, as some clients put one, is ignored. */
export function cannedAnswer(method: string, path: string): CannedAnswer {
  const answer = answers[`${method} ${path.replace(/\/$/, '')}`];
  if (!answer) throw new Error(`no canned answer to ${method} ${path}`);
  return answer;
}

const answers: Readonly<Record<string, CannedAnswer>> = {
  'POST /v1/oauth2/token': canned(200, token),
  'POST /v1/payments/payment': canned(201, created),
  [`POST /v1/payments/payment/${paymentId}/execute`]: canned(200, executed),
  [`GET /v1/payments/payment/${paymentId}`]: canned(200, executed),
  [`POST /v1/payments/authorization/${authorizationId}/capture`]: canned(201, captured),
};

function canned(status: number, body: object): CannedAnswer {
  return { status, body: Buffer.from(JSON.stringify(body)) };
}

function transaction(related: readonly object[]): object {
  return {
    amount,
    payee: { merchant_id: 'M4K7Q2ZB9XWLE' },
    description: 'One lifecycle of the bench',
    invoice_number: 'pay_0001-1-0',
    custom: 'pay_0001',
    related_resources: related,
    links: related.length === 0 ? [] : authorization.links,
  };
}

function link(rel: string, method: string, path: string): object {
  return { href: origin + path, rel, method };
}
