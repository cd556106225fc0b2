import type { Chance } from './chance.js';

/** Makes a valid request body; `known` gives an identifier of a kind that the service has answered. */
export type Body = (chance: Chance, known: (kind: string) => string) => object;

const CENTS = ['0.01', '1', '4.54', '10.60', '99.99', '100.00'];
const EVENT_TYPES = [
  'PAYMENT.AUTHORIZATION.CREATED',
  'PAYMENT.CAPTURE.REFUNDED',
  'PAYMENT.SALE.REFUNDED',
  '*',
];

const total = (chance: Chance) => ({ total: chance.pick(CENTS), currency: 'USD' });
const value = (chance: Chance) => ({ value: chance.pick(CENTS), currency: 'USD' });
/** Where a browser or a delivery would go; nothing listens there. */
const address = (chance: Chance) => `http://127.0.0.1:9/${chance.below(1e9)}`;
const replace = (path: string, replacement: unknown) => ({ op: 'replace', path, value: replacement });

const CARD = {
  type: 'visa',
  number: '4417119669820331',
  expire_month: '11',
  expire_year: '2030',
  cvv2: '874',
};
const SHIPPING_ADDRESS = {
  line1: '12 Leaf Street',
  line2: 'Back door',
  city: 'Saratoga',
  state: 'CA',
  postal_code: '95070',
  country_code: 'US',
};

const item = { name: 'hat', quantity: '2', price: '10.00', tax: '0.50', sku: '1', currency: 'USD' };
const ITEMS = { items: [item], shipping_address: { recipient_name: 'B. Buyer', ...SHIPPING_ADDRESS } };

export const nothing: Body = () => ({});
export const note: Body = () => ({ note: 'Because the customer asked' });
export const balance: Body = value;
export const billing: Body = (chance) => ({ note: 'Outstanding', amount: value(chance) });
export const reauthorization: Body = (chance) => ({ amount: total(chance) });

export const payment: Body = (chance) => {
  const isByCard = chance.happens(0.5);
  const amount = {
    total: '22.00',
    currency: 'USD',
    details: { subtotal: '20.00', tax: '1.00', shipping: '1.00' },
  };
  return {
    intent: chance.pick(['sale', 'authorize']),
    payer: isByCard
      ? { payment_method: 'credit_card', funding_instruments: [{ credit_card: CARD }] }
      : { payment_method: 'paypal' },
    redirect_urls: { return_url: address(chance), cancel_url: address(chance) },
    note_to_payer: 'Thanks',
    transactions: [
      {
        amount: chance.happens(0.5) ? amount : total(chance),
        description: 'A thing',
        custom: `custom-${chance.below(50)}`,
        invoice_number: `invoice-${chance.below(50)}`,
        soft_descriptor: 'SHOP',
        payment_options: { allowed_payment_method: 'UNRESTRICTED' },
        ...(chance.happens(0.3) && { payee: { email: 'seller@shop.example' } }),
        ...(chance.happens(0.3) && { amount, item_list: ITEMS }),
      },
    ],
  };
};

export const paymentPatch: Body = (chance) => [
  replace('/transactions/0/amount', total(chance)),
  { op: 'add', path: '/transactions/0/item_list/shipping_address', value: SHIPPING_ADDRESS },
];

export const execution: Body = (chance) => ({
  payer_id: chance.pick(['SANDBOXPAYER1', 'CR87QHB7JTRSC']),
  ...(chance.happens(0.2) && { transactions: [{ amount: total(chance) }] }),
});

export const capture: Body = (chance) => ({
  amount: total(chance),
  is_final_capture: chance.happens(0.3),
  invoice_number: `capture-${chance.below(50)}`,
});

export const refund: Body = (chance) =>
  chance.happens(0.4)
    ? {}
    : { amount: total(chance), description: 'Sent back', reason: 'Broken', invoice_number: 'refund-1' };

export const plan: Body = (chance) => ({
  name: 'Tea',
  description: 'Monthly tea',
  type: chance.pick(['fixed', 'FIXED', 'INFINITE']),
  payment_definitions: [
    {
      name: 'Regular',
      type: 'REGULAR',
      frequency: chance.pick(['DAY', 'WEEK', 'MONTH', 'YEAR']),
      frequency_interval: '1',
      amount: value(chance),
      cycles: chance.pick(['0', '3', '12']),
      charge_models: [{ type: 'TAX', amount: value(chance) }],
    },
    {
      name: 'Trial',
      type: 'TRIAL',
      frequency: 'DAY',
      frequency_interval: '1',
      amount: value(chance),
      cycles: '2',
    },
  ],
  merchant_preferences: {
    setup_fee: value(chance),
    return_url: 'https://shop.example/yes',
    cancel_url: 'https://shop.example/no',
    ...(chance.happens(0.5)
      ? { autobill_amount: 'YES', initial_amount_fail_action: 'CONTINUE' }
      : { auto_bill_amount: 'yes', initial_fail_amount_action: 'cancel' }),
    max_fail_attempts: chance.pick(['0', '1']),
  },
});

export const planPatch: Body = (chance) => [
  chance.happens(0.7)
    ? replace('/', { state: chance.pick(['ACTIVE', 'ACTIVE', 'ACTIVE', 'INACTIVE', 'DELETED']) })
    : replace('/merchant-preferences', { setup_fee: value(chance), cancel_url: 'https://shop.example/stop' }),
];

export const agreement: Body = (_chance, known) => ({
  name: 'Tea for me',
  description: 'One tin a month',
  start_date: new Date(Date.now() + 60_000).toISOString(),
  plan: { id: known('plan') },
  payer: { payment_method: 'paypal' },
  shipping_address: SHIPPING_ADDRESS,
});

export const agreementPatch: Body = () => [
  replace('/', { description: 'New words', shipping_address: SHIPPING_ADDRESS }),
];

export const payout: Body = (chance) => ({
  sender_batch_header: { sender_batch_id: `batch-${chance.below(1e6)}`, email_subject: 'You have a payment' },
  items: Array.from({ length: 1 + chance.below(3) }, (_, index) => ({
    recipient_type: chance.pick(['EMAIL', 'PHONE', 'PAYPAL_ID']),
    amount: value(chance),
    receiver: chance.pick(['someone@shop.example', '91-734-234-1234', 'G83JXTJ5EHCQ2']),
    note: 'Thank you',
    sender_item_id: `item-${index}`,
  })),
});

export const webhook: Body = (chance) => ({
  url: address(chance),
  event_types: [{ name: chance.happens(0.1) ? '*' : chance.pick(EVENT_TYPES) }],
});

export const webhookPatch: Body = (chance) => [
  replace('/url', address(chance)),
  replace('/event_types', [{ name: chance.pick(EVENT_TYPES) }]),
];

export const resend: Body = (chance, known) =>
  chance.happens(0.5) ? {} : { webhook_ids: [known('webhook')] };

export const simulation: Body = (chance, known) => ({
  event_type: chance.pick(EVENT_TYPES),
  resource_version: '1.0',
  ...(chance.happens(0.5) ? { webhook_id: known('webhook') } : { url: address(chance) }),
});

export const verification: Body = (_chance, known) => ({
  auth_algo: 'SHA256withRSA',
  cert_url: 'http://127.0.0.1:9/certificate',
  transmission_id: '69cd13f0-d67a-11e5-baa3-778b53f4ae55',
  transmission_sig: 'c2lnbmF0dXJl',
  transmission_time: '2030-02-18T20:01:35Z',
  webhook_id: known('webhook'),
  webhook_event: { id: known('event'), event_type: 'PAYMENT.AUTHORIZATION.CREATED', resource: {} },
});

export const application: Body = () => ({
  clientSecret: 'fuzzed-secret',
  name: 'Fuzzed',
  environment: 'sandbox',
  dayLengthMs: 1_000,
  approvalRules: [{ payeeEmail: 'seller@shop.example', minTotal: '1.00', approval: 'immediate' }],
});

export const reversal: Body = (chance) => (chance.happens(0.5) ? {} : { reason: 'chargeback' });

export const account: Body = (chance) => ({
  email: `payer-${chance.below(1e6)}@shop.example`,
  firstName: 'Pat',
  lastName: null,
  countryCode: 'US',
  fundingDeclines: chance.happens(0.2),
});

export const fault: Body = (chance) => ({
  clientId: 'fuzzed',
  operation: chance.pick(['payment.create', 'authorization.capture', 'agreement.cycle', '*']),
  ...chance.pick([
    { kind: 'drop_reply' },
    { kind: 'status', status: 429, retryAfter: 1 },
    { kind: 'pending', settlesAs: 'denied', afterMs: 10 },
    { kind: 'garbage', body: 'truncated' },
  ]),
});
