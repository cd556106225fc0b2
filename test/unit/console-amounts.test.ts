import { expect, it } from 'vitest';
import { amountsOfPayment } from '#api/console/subjects/subject-view.js';
import { type AmountDetails, orderedPayment } from '#workflows/lifecycle/payment';

const order = {
  paymentId: 'pay_1',
  amount: { minor: 10_000, currency: 'USD' },
  capturePolicy: { mode: 'manual' },
  expiryPolicy: { action: 'void' },
  approvalBy: 0,
  patience: {
    outcomeHorizonMs: 1_000,
    firstLookMs: 100,
    firstRetryMs: 100,
    firstPollMs: 1_000,
    longestPollMs: 1_000,
    maxAttempts: 3,
    reviewAfterMs: 5_000,
  },
} as const;

const shownOf = (amountDetails?: AmountDetails) =>
  amountsOfPayment({
    state: orderedPayment({ ...order, ...(amountDetails && { amountDetails }) }, 0),
    refunds: [],
  } as never).map(({ name, value }) => `${name}: ${value}`);

it('an operator sees the parts of the ordered amount that the order has named', () => {
  expect(shownOf({ subtotal: 9_000, shipping: 1_500, shippingDiscount: 500 })).toEqual([
    'Ordered: 100.00 USD',
    '– Goods: 90.00 USD',
    '– Shipping: 15.00 USD',
    '– Shipping discount: 5.00 USD',
    'Captured: 0.00 USD',
  ]);
});

it('an order without parts shows the amount alone', () => {
  expect(shownOf()).toEqual(['Ordered: 100.00 USD', 'Captured: 0.00 USD']);
});
