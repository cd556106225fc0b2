/** Whole answers as the provider writes them, to be spoilt one field at a time. */

export const wireAuthorization = {
  id: 'AUTH-1',
  create_time: '2024-03-01T10:00:00Z',
  update_time: '2024-03-01T10:00:01Z',
  state: 'authorized',
  amount: { total: '10.6', currency: 'USD', details: { subtotal: '10.6' } },
  parent_payment: 'PAY-1',
  valid_until: '2024-03-30T10:00:00Z',
  links: [
    { href: 'https://api.example/v1/payments/authorization/AUTH-1', rel: 'self', method: 'GET' },
    { href: 'https://api.example/v1/payments/authorization/AUTH-1/capture', rel: 'capture', method: 'POST' },
    { href: 'https://api.example/v1/payments/payment/PAY-1', rel: 'parent_payment', method: 'GET' },
  ],
};

export const wireCapture = {
  id: 'CAP-1',
  create_time: '2024-03-02T10:00:00Z',
  state: 'completed',
  amount: { total: '10.60', currency: 'USD' },
  is_final_capture: true,
  invoice_number: 'invoice-1',
  parent_payment: 'PAY-1',
  links: [
    { href: 'https://api.example/v1/payments/authorization/AUTH-1', rel: 'authorization', method: 'GET' },
  ],
};

export const wirePayment = {
  id: 'PAY-1',
  intent: 'authorize',
  state: 'approved',
  payer: {
    payment_method: 'wallet',
    status: 'VERIFIED',
    payer_info: { email: 'payer@private.example', payer_id: 'PAYER1', first_name: 'Ada' },
  },
  transactions: [
    {
      amount: { total: '10.60', currency: 'USD' },
      payee: { email: 'payee@private.example' },
      invoice_number: 'order-1',
      related_resources: [{ authorization: wireAuthorization }],
    },
  ],
  links: [
    { href: 'https://api.example/v1/payments/payment/PAY-1', rel: 'self', method: 'GET' },
    { href: 'https://www.example/checkout?token=EC-PLANTED', rel: 'approval_url', method: 'REDIRECT' },
  ],
};

export const captureRequest = {
  amount: { value: '10.60', currency: 'USD' },
  isFinalCapture: true,
  invoiceNumber: 'invoice-1',
};

export const paymentRequest = {
  intent: 'authorize',
  returnUrl: 'https://shop.example/return',
  cancelUrl: 'https://shop.example/cancel',
  transactions: [{ amount: { value: '10.60', currency: 'USD' }, payeeEmail: 'payee@private.example' }],
} as const;

export const wireRefund = {
  id: 'REF-1',
  create_time: '2024-03-03T10:00:00Z',
  update_time: '2024-03-03T10:00:01Z',
  state: 'completed',
  amount: { total: '-4.1', currency: 'USD' },
  capture_id: 'CAP-1',
  parent_payment: 'PAY-1',
  invoice_number: 'refund-1',
};

const wirePreferences = {
  setup_fee: { value: '5', currency: 'USD' },
  max_fail_attempts: '3',
  return_url: 'https://shop.example/return',
  cancel_url: 'https://shop.example/cancel',
};

/** What the two spellings call the same. */
export const wirePreferencesBySpelling = {
  interface: { ...wirePreferences, autobill_amount: 'YES', initial_amount_fail_action: 'CANCEL' },
  'paypal-v1': { ...wirePreferences, auto_bill_amount: 'yes', initial_fail_amount_action: 'cancel' },
};

export const wirePlan = {
  id: 'P-1',
  state: 'CREATED',
  name: 'Magazine',
  description: 'Every month',
  type: 'FIXED',
  payment_definitions: [
    {
      id: 'PD-1',
      name: 'Regular',
      type: 'REGULAR',
      frequency: 'Month',
      frequency_interval: '1',
      cycles: '12',
      amount: { value: '10.6', currency: 'USD' },
      charge_models: [{ id: 'CHM-1', type: 'TAX', amount: { value: '1', currency: 'USD' } }],
    },
  ],
  merchant_preferences: wirePreferencesBySpelling['paypal-v1'],
  create_time: '2024-03-01T10:00:00Z',
  links: [{ href: 'https://api.example/v1/payments/billing-plans/P-1', rel: 'self', method: 'GET' }],
};

const AGREEMENTS = 'https://api.example/v1/payments/billing-agreements';

export const wirePendingAgreement = {
  name: 'Magazine',
  start_date: '2030-01-01T00:00:00Z',
  plan: wirePlan,
  links: [
    { href: 'https://www.example/checkout?token=EC-PLANTED1', rel: 'approval_url', method: 'REDIRECT' },
    { href: `${AGREEMENTS}/EC-PLANTED1/agreement-execute`, rel: 'execute', method: 'POST' },
  ],
};

export const wireAgreement = {
  id: 'I-1',
  state: 'Active',
  name: 'Magazine',
  description: 'Every month',
  start_date: '2030-01-01T00:00:00Z',
  payer: {
    payment_method: 'paypal',
    status: 'verified',
    payer_info: { email: 'payer@private.example', payer_id: 'PAYER1', first_name: 'Ada' },
  },
  shipping_address: { recipient_name: 'Ada', line1: '1 Planted Street', city: 'PLANTED', country_code: 'US' },
  plan: { payment_definitions: wirePlan.payment_definitions },
  agreement_details: {
    outstanding_balance: { value: '0.00', currency: 'USD' },
    cycles_remaining: '12',
    cycles_completed: '0',
    next_billing_date: '2030-01-01T00:00:00Z',
    final_payment_date: '2030-12-01T00:00:00Z',
    failed_payment_count: '0',
  },
  // Several links of one rel, as recorded (provider-facts, "Traps").
  links: ['suspend', 'bill-balance', 'set-balance'].map((action) => ({
    href: `${AGREEMENTS}/I-1/${action}`,
    rel: 'self',
    method: 'POST',
  })),
};

export const wirePayoutItem = {
  payout_item_id: 'ITEM-1',
  transaction_id: 'TX-1',
  transaction_status: 'UNCLAIMED',
  payout_item_fee: { currency: 'USD', value: '0.00' },
  payout_batch_id: 'BATCH-1',
  payout_item: {
    recipient_type: 'EMAIL',
    amount: { currency: 'USD', value: '7.50' },
    receiver: 'receiver@private.example',
    note: 'Thanks, Ada',
    sender_item_id: 'item-1',
    recipient_name: { given_name: 'Ada', surname: 'PLANTED' },
  },
  time_processed: '2024-03-01T10:00:02Z',
  errors: { name: 'RECEIVER_UNREGISTERED', message: 'receiver@private.example has no account' },
};

export const wirePayoutBatch = {
  batch_header: {
    payout_batch_id: 'BATCH-1',
    batch_status: 'PENDING',
    time_created: '2024-03-01T10:00:00Z',
    sender_batch_header: { sender_batch_id: 'batch-1', email_subject: 'Your share, Ada' },
  },
  links: [{ href: 'https://api.example/v1/payments/payouts/BATCH-1', rel: 'self', method: 'GET' }],
};

export const error = (name: string, more = {}) => ({ name, message: 'prose', debug_id: 'debug-1', ...more });
