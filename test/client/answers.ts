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
