import { at, ids, later, origin, pendingOperation, toAsk, toRead, unproved, usd } from './parts.js';
import * as payments from './payments.js';

const { payment, authorizedPayment, orderedPayment, cancelledPayment, paymentUnderWay } = payments;
const self = `${origin}/v1/payments/${ids.payment}`;
const nothing = usd('0.00');
const reading = cancelledPayment.links;
const askedAgain = [toRead('review', `${self}/review`), toAsk('check', `${self}/check`)];

/** A step was tried and not made: the hold goes on. */
const refused = (reason: string) => ({ ...authorizedPayment, version: 8, reason, updatedAt: at('12:05:01') });

/** The same order as a sale. */
const sale = {
  ...cancelledPayment,
  intent: 'sale',
  capturePolicy: null,
  honourPolicy: null,
  expiryPolicy: null,
  sale: { id: '36C38912MN9658832', amount: usd('100.00'), state: 'pending' },
  amounts: { ...cancelledPayment.amounts, pending: usd('100.00') },
  version: 5,
  updatedAt: at('12:00:02'),
};
const completedSale = {
  ...sale,
  state: 'completed',
  version: 6,
  sale: { ...sale.sale, state: 'completed' },
  amounts: {
    ...sale.amounts,
    pending: nothing,
    captured: usd('100.00'),
    refundable: usd('100.00'),
  },
  allowedActions: ['refund'],
  links: [...reading, toAsk('refund', `${self}/refunds`)],
  updatedAt: at('12:30:00'),
};

/** The payment of each notification of one, by what follows `payment.` in its type. */
export const notifiedPayments = {
  awaiting_approval: orderedPayment,
  authorized: authorizedPayment,
  hold_expiring: {
    ...authorizedPayment,
    warning: 'honour_period_ending',
    version: 6,
    updatedAt: later('2030-02-02'),
  },
  reauthorized: {
    ...authorizedPayment,
    authorizations: [...authorizedPayment.authorizations, '5KD93715HF2204619'],
    deadlines: { ...authorizedPayment.deadlines, honourUntil: later('2030-02-07') },
    version: 9,
    updatedAt: later('2030-02-04'),
  },
  // Before something of it went back.
  partially_captured: {
    ...payment,
    version: 7,
    amounts: { ...payment.amounts, refunded: nothing, refundable: usd('30.00') },
    refunds: [],
    updatedAt: at('12:05:01'),
  },
  captured: payments.releasedPayment,
  capture_failed: refused('The provider declined it (INSTRUMENT_DECLINED).'),
  void_failed: refused('The provider refused it (AUTHORIZATION_ALREADY_COMPLETED).'),
  reauthorization_failed: refused('The provider refused it (REAUTHORIZATION_TOO_SOON).'),
  voided: payments.voidedPayment,
  expired: {
    ...cancelledPayment,
    state: 'expired',
    reason: 'The payer did not approve in time.',
    updatedAt: at('15:00:00'),
  },
  pending: { ...sale, state: 'pending' },
  completed: completedSale,
  declined: {
    ...cancelledPayment,
    state: 'declined',
    version: 5,
    reason: 'The provider declined it (INSTRUMENT_DECLINED).',
    updatedAt: at('12:00:02'),
  },
  cancelled: cancelledPayment,
  in_doubt: paymentUnderWay,
  needs_review: {
    ...paymentUnderWay,
    state: 'needs_review',
    version: 7,
    reason: unproved('the capture'),
    pendingOperation: { ...pendingOperation('capture', usd('30.00')), reviewAt: null },
    allowedActions: ['check', 'decide'],
    links: [...reading, ...askedAgain, toAsk('decide', `${self}/review/decision`)],
    updatedAt: at('13:05:00'),
  },
};
