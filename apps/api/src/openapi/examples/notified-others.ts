import * as others from './others.js';
import { at, ids, origin, pendingOperation, toAsk, toRead, unproved, usd } from './parts.js';
import { pendingRefund, refund, refundUnderWay } from './payments.js';

/** The refund of each notification of one, by what follows `refund.` in its type. */
export const notifiedRefunds = {
  created: pendingRefund,
  pending: pendingRefund,
  completed: refund,
  failed: {
    ...refund,
    state: 'failed',
    refundedAt: null,
    timeline: refund.timeline.map((line) => ({ ...line, to: 'failed' })),
  },
  in_doubt: refundUnderWay,
  needs_review: {
    ...refundUnderWay,
    state: 'needs_review',
    version: 2,
    reason: unproved('the refund'),
    pendingOperation: { ...refundUnderWay.pendingOperation, reviewAt: null },
    allowedActions: ['check', 'decide'],
  },
};

const chargeback = {
  ...refund,
  kind: 'reversal',
  origin: 'elsewhere',
  providerRefundId: null,
  amount: usd('30.00'),
  description: null,
  metadata: {},
  refundedAt: '2030-02-14T08:00:00.000Z',
  timeline: [
    {
      ...refund.timeline[0],
      event: 'refundObserved',
      from: 'observed',
      at: '2030-02-14T08:00:05.000Z',
    },
  ],
};

/** The same of a chargeback. */
export const notifiedChargebacks = {
  // How much is not known yet.
  created: { ...chargeback, amount: null },
  completed: chargeback,
};

const { subscription, suspendedSubscription, orderedSubscription, cancelledSubscription } = others;
const subscriptions = `${origin}/v1/subscriptions/${ids.subscription}`;
const refusal = 'The provider refused it (INVALID_STATUS_TO_SUSPEND).';

/** A change was tried and not made. */
const unchanged = { ...subscription, version: 8, reason: refusal, updatedAt: '2030-02-10T09:00:01.000Z' };

/** A cycle could not be collected. */
const owing = {
  ...subscription,
  version: 9,
  cyclesCompleted: 2,
  cyclesRemaining: 10,
  failedPayments: 1,
  outstanding: usd('12.00'),
  nextBillingAt: '2030-04-01T00:00:00.000Z',
  allowedActions: ['suspend', 'cancel', 'billBalance', 'setBalance'],
  links: [
    ...subscription.links,
    toAsk('billBalance', `${subscriptions}/bill-balance`),
    toAsk('setBalance', `${subscriptions}/set-balance`),
  ],
  updatedAt: '2030-03-01T00:00:06.000Z',
};
const stillOwing = { ...owing, version: 11, reason: refusal, updatedAt: '2030-03-02T09:00:01.000Z' };
const paidUp = { ...subscription, cyclesCompleted: 2, cyclesRemaining: 10, version: 11 };

const before = { ...orderedSubscription, approvalUrl: null, approvalBy: null, allowedActions: [] };
const ended = { ...before, links: cancelledSubscription.links, version: 3 };

/** The same of a subscription. */
export const notifiedSubscriptions = {
  awaiting_approval: orderedSubscription,
  activated: { ...before, state: 'active', version: 5, nextBillingAt: subscription.startDate },
  cycle_billed: subscription,
  payment_failed: owing,
  suspended: suspendedSubscription,
  reactivated: { ...subscription, version: 10 },
  cancelled: cancelledSubscription,
  expired: { ...cancelledSubscription, state: 'expired', cyclesCompleted: 12, cyclesRemaining: 0 },
  declined: { ...ended, state: 'declined', reason: 'The provider refused it (UNPROCESSABLE_ENTITY).' },
  lapsed: { ...ended, state: 'lapsed', reason: 'The payer did not approve in time.' },
  suspension_failed: unchanged,
  reactivation_failed: { ...suspendedSubscription, version: 10, reason: refusal },
  cancellation_failed: unchanged,
  balance_billed: paidUp,
  balance_billing_failed: stillOwing,
  balance_set: paidUp,
  balance_setting_failed: stillOwing,
  in_doubt: others.subscriptionUnderWay,
  needs_review: {
    ...others.subscriptionUnderWay,
    state: 'needs_review',
    version: 8,
    reason: unproved('the suspension'),
    pendingOperation: { ...pendingOperation('suspend', null), reviewAt: null },
    allowedActions: ['check', 'decide'],
    links: [
      toRead('self', subscriptions),
      toRead('review', `${subscriptions}/review`),
      toAsk('decide', `${subscriptions}/review/decision`),
      toAsk('check', `${subscriptions}/check`),
    ],
  },
};

const { payout, payoutUnderWay, payoutItem } = others;
const none = { count: 0, amount: usd('0.00') };
const processing = { ...payout, state: 'processing', version: 2, totals: payoutUnderWay.totals };
const notPaid = { ...processing, version: 3, updatedAt: at('12:02:00') };

/** The same of a payout. */
export const notifiedPayouts = {
  processing,
  completed: {
    ...payout,
    state: 'completed',
    version: 6,
    totals: { ...payout.totals, unclaimed: none, returned: payout.totals.unclaimed },
    updatedAt: '2030-03-02T12:01:00.000Z',
  },
  denied: { ...notPaid, state: 'denied' },
  cancelled: { ...notPaid, state: 'cancelled' },
  declined: {
    ...payoutUnderWay,
    state: 'declined',
    pendingOperation: null,
    reason: 'The provider refused it (INSUFFICIENT_FUNDS).',
    allowedActions: [],
  },
  item_cancellation_failed: {
    ...payout,
    version: 6,
    reason: 'The provider refused it (ITEM_INCORRECT_STATUS).',
  },
  in_doubt: payoutUnderWay,
  needs_review: {
    ...payoutUnderWay,
    state: 'needs_review',
    reason: 'It cannot be proved whether the batch was created; it is asked for again meanwhile.',
    pendingOperation: { ...payoutUnderWay.pendingOperation, reviewAt: null },
    allowedActions: ['check', 'decide'],
  },
};

const item = (state: string, errorCode: string | null = null) => ({
  payoutId: ids.payout,
  ...payoutItem,
  state,
  errorCode,
  allowedActions: state === 'unclaimed' ? ['cancel'] : [],
});

/** The same of an item of a payout. */
export const notifiedItems = {
  succeeded: item('success'),
  unclaimed: item('unclaimed', payoutItem.errorCode),
  held: item('onhold', 'REGULATORY_PENDING'),
  failed: item('failed', 'RISK_DECLINE'),
  returned: item('returned'),
  blocked: item('blocked', 'REGULATORY_BLOCKED'),
  refunded: item('refunded'),
  reversed: item('reversed'),
};
