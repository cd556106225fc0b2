import { routeEvent } from '#webhook-inbox/event-route.js';
import type { NotifiedResource } from '#workflows/lifecycle';
import { type PaymentState, orderedPayment } from '#workflows/lifecycle/payment';
import { patience } from '../lifecycle/payment/sample-payments.js';

export const ordered = orderedPayment(
  {
    paymentId: 'pay_1',
    amount: { minor: 10_000, currency: 'USD' },
    capturePolicy: { mode: 'manual' },
    expiryPolicy: { action: 'void' },
    approvalBy: 1,
    patience,
  },
  0,
);
export const { openStep, ...idle } = ordered;
export const held: PaymentState = {
  ...idle,
  status: 'authorized',
  authorization: { authorizationId: 'AUTH', minor: 10_000, createdAt: 0, validUntil: 29 },
};
export const captured: PaymentState = {
  ...held,
  status: 'captured',
  captures: [{ captureId: 'CAP', minor: 10_000, status: 'completed', final: true }],
};

export const capturing: PaymentState = { ...held, status: 'capturing', openStep: openStep! };

export const routeOf = (state: PaymentState, resource: NotifiedResource) =>
  routeEvent({ event_id: 'WH-1', event_type: 'TEST', resource }, { id: 'pay_1', state });
