import * as bodies from './bodies.js';

export type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
/** Who serves it: the interface (with a token), the payer’s browser, or those who steer the service. */
export type Area = 'interface' | 'token' | 'payer' | 'admin';

export interface Endpoint {
  area: Area;
  method: Method;
  /** `{kind}` stands for an identifier of that kind. */
  path: string;
  body?: bodies.Body;
  query?: readonly string[];
  /** Kind of the `token` that a form sends. */
  form?: 'approvalToken' | 'agreementToken';
}

const PAYMENTS = '/v1/payments';
const NOTIFICATIONS = '/v1/notifications';
const PAYMENT_QUERY = [
  'count',
  'start_id',
  'start_index',
  'start_time',
  'end_time',
  'payee_id',
  'sort_by',
  'sort_order',
];
const EVENT_QUERY = ['page_size', 'start_time', 'end_time', 'transaction_id', 'event_type'];
const PAGES = ['page', 'page_size', 'total_required'];

const of =
  (area: Area) =>
  (method: Method, path: string, body?: bodies.Body, query?: readonly string[]): Endpoint => ({
    area,
    method,
    path,
    ...(body && { body }),
    ...(query && { query }),
  });
const call = of('interface');
const admin = of('admin');
const payer = of('payer');

/** Both spellings of the paths about events (provider facts, "Differences"). */
const events = [`/v1/notfications/webhooks-events`, `${NOTIFICATIONS}/webhooks-events`].flatMap((path) => [
  call('GET', path, undefined, EVENT_QUERY),
  call('GET', `${path}/{event}`),
  call('POST', `${path}/{event}/resend`, bodies.resend),
]);

/** Every call of the two documents, from the documents: what the service registers is not asked. */
export const ENDPOINTS: readonly Endpoint[] = [
  of('token')('POST', '/v1/oauth2/token'),
  call('POST', `${PAYMENTS}/payment`, bodies.payment),
  call('GET', `${PAYMENTS}/payment`, undefined, PAYMENT_QUERY),
  call('GET', `${PAYMENTS}/payment/{payment}`),
  call('PATCH', `${PAYMENTS}/payment/{payment}`, bodies.paymentPatch),
  call('POST', `${PAYMENTS}/payment/{payment}/execute`, bodies.execution),
  call('GET', `${PAYMENTS}/authorization/{authorization}`),
  call('POST', `${PAYMENTS}/authorization/{authorization}/capture`, bodies.capture),
  call('POST', `${PAYMENTS}/authorization/{authorization}/void`, bodies.nothing),
  call('POST', `${PAYMENTS}/authorization/{authorization}/reauthorize`, bodies.reauthorization),
  call('GET', `${PAYMENTS}/sale/{sale}`),
  call('POST', `${PAYMENTS}/sale/{sale}/refund`, bodies.refund),
  call('GET', `${PAYMENTS}/capture/{capture}`),
  call('POST', `${PAYMENTS}/capture/{capture}/refund`, bodies.refund),
  call('GET', `${PAYMENTS}/refund/{refund}`),
  call('POST', `${PAYMENTS}/billing-plans`, bodies.plan),
  call('GET', `${PAYMENTS}/billing-plans`, undefined, ['status', ...PAGES]),
  call('GET', `${PAYMENTS}/billing-plans/{plan}`),
  call('PATCH', `${PAYMENTS}/billing-plans/{plan}`, bodies.planPatch),
  call('POST', `${PAYMENTS}/billing-agreements`, bodies.agreement),
  call('POST', `${PAYMENTS}/billing-agreements/{agreementToken}/agreement-execute`, bodies.nothing),
  call('GET', `${PAYMENTS}/billing-agreements/{agreement}`),
  call('PATCH', `${PAYMENTS}/billing-agreements/{agreement}`, bodies.agreementPatch),
  ...['suspend', 're-activate', 'cancel'].map((verb) =>
    call('POST', `${PAYMENTS}/billing-agreements/{agreement}/${verb}`, bodies.note),
  ),
  call('POST', `${PAYMENTS}/billing-agreements/{agreement}/set-balance`, bodies.balance),
  call('POST', `${PAYMENTS}/billing-agreements/{agreement}/bill-balance`, bodies.billing),
  call('GET', `${PAYMENTS}/billing-agreements/{agreement}/transactions`, undefined, [
    'start_date',
    'end_date',
  ]),
  call('POST', `${PAYMENTS}/payouts`, bodies.payout, ['sync_mode']),
  call('GET', `${PAYMENTS}/payouts/{payout}`, undefined, ['fields', ...PAGES]),
  call('GET', `${PAYMENTS}/payouts-item/{payoutItem}`),
  call('POST', `${PAYMENTS}/payouts-item/{payoutItem}/cancel`, bodies.nothing),
  call('POST', `${NOTIFICATIONS}/webhooks`, bodies.webhook),
  call('GET', `${NOTIFICATIONS}/webhooks`, undefined, ['anchor_type', 'event_type']),
  call('GET', `${NOTIFICATIONS}/webhooks/{webhook}`),
  call('PATCH', `${NOTIFICATIONS}/webhooks/{webhook}`, bodies.webhookPatch),
  call('DELETE', `${NOTIFICATIONS}/webhooks/{webhook}`),
  call('GET', `${NOTIFICATIONS}/webhooks/{webhook}/event-types`),
  call('GET', `${NOTIFICATIONS}/webhooks-event-types`),
  ...events,
  call('POST', `${NOTIFICATIONS}/simulate-event`, bodies.simulation),
  call('POST', `${NOTIFICATIONS}/verify-webhook-signature`, bodies.verification),
];

const approvalPages = (path: string, form: 'approvalToken' | 'agreementToken'): Endpoint[] => [
  { ...payer('GET', path, undefined, ['token']), form },
  { ...payer('POST', `${path}/approve`), form },
  { ...payer('POST', `${path}/cancel`), form },
];

/** What the payer’s browser asks for. */
export const PAYER_PAGES: readonly Endpoint[] = [
  ...approvalPages('/checkout', 'approvalToken'),
  ...approvalPages('/checkout/agreement', 'agreementToken'),
];

/** What happens to money without a call of its application. */
const elsewhere = [
  ...['sale', 'capture'].flatMap((kind) => [
    admin('POST', `/admin/${kind}s/{${kind}}/refund`, bodies.refund),
    admin('POST', `/admin/${kind}s/{${kind}}/reverse`, bodies.reversal),
  ]),
  ...['claim', 'release', 'complete', 'deny', 'return', 'block', 'refund', 'reverse'].map((verb) =>
    admin('POST', `/admin/payouts-item/{payoutItem}/${verb}`),
  ),
  admin('POST', '/admin/payouts/{payout}/cancel'),
];

/** What operators and tests use beside the interface. */
export const SIDE_DOORS: readonly Endpoint[] = [
  payer('GET', '/healthz'),
  payer('GET', `${NOTIFICATIONS}/certs/{certificate}`),
  ...PAYER_PAGES,
  ...elsewhere,
  admin('POST', '/admin/accounts', bodies.account),
  admin('PATCH', '/admin/accounts/{account}', bodies.account),
  admin('GET', '/admin/accounts', undefined, ['environment', 'kind', 'limit', 'after']),
  admin('GET', '/admin/deliveries', undefined, ['limit', 'eventId', 'webhookId', 'after']),
  admin('PUT', '/admin/applications/{application}', bodies.application),
  admin('DELETE', '/admin/applications/{application}/tokens'),
  admin('POST', '/admin/payments/{payment}/approve'),
  admin('POST', '/admin/payments/{payment}/cancel'),
  admin('POST', '/admin/faults', bodies.fault),
  admin('GET', '/admin/faults'),
  admin('DELETE', '/admin/faults'),
  admin('GET', '/admin/books/movements', undefined, ['payment', 'after', 'limit', 'custom', 'invoiceNumber']),
  admin('GET', '/admin/books/check'),
  admin('GET', '/admin/calls', undefined, [
    'inflight',
    'clientId',
    'limit',
    'before',
    'status',
    'environment',
  ]),
  admin('GET', '/admin/calls/{call}'),
];
