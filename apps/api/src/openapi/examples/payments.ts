import { at, ids, later, listOf, origin, pendingOperation, runAddress, toAsk, toRead, usd } from './parts.js';

const self = `${origin}/v1/payments/${ids.payment}`;
const selfOfRefund = `${origin}/v1/refunds/${ids.refund}`;
const reading = [
  toRead('self', self),
  toRead('timeline', `${self}/timeline`),
  toRead('calls', `${self}/calls`),
  toRead('webhook-events', `${origin}/v1/webhook-events?payment=${ids.payment}`),
];
const nothing = usd('0.00');

export const capture = { id: '4LB73295AK6218347', amount: usd('30.00'), state: 'completed', final: false };

export const refund = {
  id: ids.refund,
  paymentId: ids.payment,
  version: 1,
  kind: 'refund',
  origin: 'order_service',
  providerRefundId: '8AA31846J4523081C',
  amount: usd('5.00'),
  state: 'completed',
  description: 'A scratched lid',
  providerReason: null,
  metadata: { ticket: 'T-1007' },
  captureId: capture.id,
  saleId: null,
  refundedAt: at('12:10:01'),
  reason: null,
  pendingOperation: null,
  allowedActions: [],
  timeline: [line(1, 'refundAnswered', 'requesting', 'completed', '12:10:01')],
  links: [toRead('self', selfOfRefund), toRead('payment', self)],
  temporalUrl: runAddress('refund', ids.refund),
};

export const pendingRefund = {
  ...refund,
  state: 'pending',
  refundedAt: null,
  timeline: [line(1, 'refundAnswered', 'requesting', 'pending', '12:10:01')],
};

export const refundUnderWay = {
  ...refund,
  version: 1,
  providerRefundId: null,
  state: 'requesting',
  refundedAt: null,
  pendingOperation: pendingOperation('refund', usd('5.00')),
  allowedActions: ['check'],
  timeline: [line(1, 'outcomeUnknown', 'requesting', 'requesting', '12:10:10')],
};

/** 30.00 of 100.00 are captured, and 5.00 of it given back. */
export const payment = {
  id: ids.payment,
  orderId: 'order-1007',
  metadata: { basket: '42' },
  intent: 'authorize',
  state: 'partially_captured',
  version: 8,
  approvalUrl: null,
  amount: usd('100.00'),
  amountDetails: { subtotal: '90.00', shipping: '10.00' },
  amounts: {
    authorized: usd('100.00'),
    captured: usd('30.00'),
    pending: nothing,
    capturable: usd('70.00'),
    released: nothing,
    refunded: usd('5.00'),
    refundable: usd('25.00'),
    reversed: nothing,
  },
  captures: [capture],
  sale: null,
  refunds: [refund],
  deadlines: {
    approvalBy: null,
    capturesAt: null,
    honourUntil: later('2030-02-03'),
    reauthorizesAt: null,
    settlesAt: later('2030-02-28'),
    captureUntil: later('2030-03-01'),
  },
  warning: null,
  reason: null,
  pendingOperation: null,
  capturePolicy: { mode: 'manual' },
  honourPolicy: { action: 'warn', reauthorize: 'none' },
  expiryPolicy: { action: 'void' },
  authorizations: ['1VH90417JR5128432'],
  allowedActions: ['capture', 'release', 'refund'],
  links: [
    ...reading,
    toAsk('capture', `${self}/captures`),
    toAsk('refund', `${self}/refunds`),
    toAsk('release', `${self}/release`),
  ],
  temporalUrl: runAddress('payment', ids.payment),
  createdAt: at('12:00:00'),
  updatedAt: at('12:10:01'),
};

const untouched = {
  ...payment.amounts,
  authorized: nothing,
  captured: nothing,
  capturable: nothing,
  refunded: nothing,
  refundable: nothing,
};
const beforeMoney = {
  ...payment,
  amounts: untouched,
  captures: [],
  refunds: [],
  authorizations: [],
  deadlines: { ...payment.deadlines, honourUntil: null, settlesAt: null, captureUntil: null },
};

export const orderedPayment = {
  ...beforeMoney,
  state: 'awaiting_approval',
  version: 1,
  approvalUrl: 'https://provider.example/approve?token=EC-60U79048BN7719609',
  deadlines: { ...beforeMoney.deadlines, approvalBy: at('15:00:00') },
  allowedActions: ['cancel'],
  links: [
    ...reading,
    toRead('approval', 'https://provider.example/approve?token=EC-60U79048BN7719609'),
    toAsk('cancel', `${self}/cancel`),
  ],
  updatedAt: at('12:00:01'),
};

export const cancelledPayment = {
  ...beforeMoney,
  state: 'cancelled',
  version: 2,
  allowedActions: [],
  links: reading,
  updatedAt: at('12:01:00'),
};

const held = {
  ...payment,
  amounts: { ...untouched, authorized: usd('100.00'), capturable: usd('100.00') },
  captures: [],
  refunds: [],
};

export const authorizedPayment = {
  ...held,
  state: 'authorized',
  version: 3,
  allowedActions: ['capture', 'void'],
  links: [...reading, toAsk('capture', `${self}/captures`), toAsk('void', `${self}/void`)],
  updatedAt: at('12:00:02'),
};

const isOver = { ...payment.deadlines, honourUntil: null, settlesAt: null, captureUntil: null };

export const voidedPayment = {
  ...held,
  state: 'voided',
  version: 7,
  amounts: { ...held.amounts, capturable: nothing, released: usd('100.00') },
  deadlines: isOver,
  allowedActions: [],
  links: reading,
  updatedAt: at('12:05:01'),
};

export const releasedPayment = {
  ...payment,
  state: 'captured',
  version: 10,
  amounts: { ...payment.amounts, capturable: nothing, released: usd('70.00') },
  deadlines: isOver,
  allowedActions: ['refund'],
  links: [...reading, toAsk('refund', `${self}/refunds`)],
};

export const paymentUnderWay = {
  ...held,
  state: 'capturing',
  version: 6,
  pendingOperation: pendingOperation('capture', usd('30.00')),
  allowedActions: ['check'],
  links: [...reading, toRead('review', `${self}/review`), toAsk('check', `${self}/check`)],
  updatedAt: at('12:05:00'),
};

export const paymentTimeline = listOf(
  { ...line(1, 'paymentCreated', 'creating', 'awaiting_approval', '12:00:01'), commandId: null },
  { ...line(2, 'payerApproved', 'awaiting_approval', 'authorizing', '12:00:30'), commandId: null },
);

function line(version: number, event: string, from: string, to: string, time: string) {
  return { version, event, kind: 'moved', from, to, at: at(time), detail: null };
}
