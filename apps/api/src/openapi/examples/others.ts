import { at, ids, listOf, origin, pendingOperation, runAddress, toAsk, toRead, usd } from './parts.js';

const plans = `${origin}/v1/plans/${ids.plan}`;
export const plan = {
  id: ids.plan,
  state: 'active',
  version: 3,
  name: 'Magazine',
  description: 'Monthly, delivered to your home',
  currency: 'USD',
  regular: {
    name: 'Monthly',
    frequency: 'MONTH',
    interval: 1,
    cycles: 12,
    amount: usd('10.00'),
    shipping: usd('2.00'),
    tax: null,
  },
  trial: null,
  setupFee: usd('5.00'),
  setupFeeFailure: 'continue',
  autoBillsOutstanding: true,
  maxFailedPayments: 2,
  reason: null,
  pendingOperation: null,
  allowedActions: ['subscribe', 'deactivate'],
  links: [toRead('self', plans), toAsk('deactivate', `${plans}/deactivate`)],
  temporalUrl: runAddress('plan', ids.plan),
  createdAt: at('09:00:00'),
  updatedAt: at('09:00:02'),
};

export const planUnderWay = {
  ...plan,
  state: 'creating',
  version: 1,
  pendingOperation: pendingOperation('create', null),
  allowedActions: ['check'],
  links: [toRead('self', plans), toAsk('check', `${plans}/check`)],
};

export const inactivePlan = {
  ...plan,
  state: 'inactive',
  version: 5,
  allowedActions: [],
  links: [toRead('self', plans)],
};

const subscriptions = `${origin}/v1/subscriptions/${ids.subscription}`;
export const subscription = {
  id: ids.subscription,
  planId: ids.plan,
  state: 'active',
  version: 6,
  approvalUrl: null,
  startDate: '2030-02-01T00:00:00.000Z',
  name: 'Magazine for Anna',
  description: 'Monthly, delivered to your home',
  metadata: { customer: '1007' },
  cyclesCompleted: 1,
  cyclesRemaining: 11,
  failedPayments: 0,
  outstanding: usd('0.00'),
  lastPayment: { at: '2030-02-01T00:00:05.000Z', amount: usd('12.00') },
  nextBillingAt: '2030-03-01T00:00:00.000Z',
  approvalBy: null,
  reason: null,
  pendingOperation: null,
  allowedActions: ['suspend', 'cancel'],
  links: [
    toRead('self', subscriptions),
    toAsk('suspend', `${subscriptions}/suspend`),
    toAsk('cancel', `${subscriptions}/cancel`),
  ],
  temporalUrl: runAddress('subscription', ids.subscription),
  createdAt: at('12:00:00'),
  updatedAt: '2030-02-01T00:00:06.000Z',
};

const notBilled = {
  ...subscription,
  cyclesCompleted: 0,
  cyclesRemaining: 12,
  lastPayment: null,
  nextBillingAt: null,
};

export const orderedSubscription = {
  ...notBilled,
  state: 'awaiting_approval',
  version: 2,
  approvalUrl: 'https://provider.example/agreements/approve?token=EC-0JP008296V451950C',
  approvalBy: at('15:00:00'),
  allowedActions: ['cancel'],
  updatedAt: at('12:00:01'),
};

export const suspendedSubscription = {
  ...subscription,
  state: 'suspended',
  version: 8,
  nextBillingAt: null,
  allowedActions: ['reactivate', 'cancel'],
  links: [
    toRead('self', subscriptions),
    toAsk('reactivate', `${subscriptions}/reactivate`),
    toAsk('cancel', `${subscriptions}/cancel`),
  ],
};

export const cancelledSubscription = {
  ...suspendedSubscription,
  state: 'cancelled',
  allowedActions: [],
  links: [toRead('self', subscriptions)],
};

export const subscriptionUnderWay = {
  ...subscription,
  state: 'suspending',
  version: 7,
  pendingOperation: pendingOperation('suspend', null),
  allowedActions: ['check'],
  links: [toRead('self', subscriptions), toAsk('check', `${subscriptions}/check`)],
};

export const subscriptionPayments = {
  ...listOf({
    id: '7FW28416XR3319254',
    at: '2030-02-01T00:00:05.000Z',
    state: 'completed',
    amount: usd('12.00'),
  }),
  collected: usd('12.00'),
};

const none = { count: 0, amount: usd('0.00') };
const payouts = `${origin}/v1/payouts/${ids.payout}`;
export const payout = {
  id: ids.payout,
  reference: 'shares-2030-01',
  metadata: { month: '2030-01' },
  state: 'settling',
  version: 4,
  itemCount: 2,
  amount: usd('20.00'),
  totals: {
    queued: none,
    pending: none,
    onhold: none,
    unclaimed: { count: 1, amount: usd('7.50') },
    success: { count: 1, amount: usd('12.50') },
    failed: none,
    returned: none,
    blocked: none,
    refunded: none,
    reversed: none,
  },
  providerBatchId: '5UXD2E8A7EBQJ',
  reason: null,
  pendingOperation: null,
  allowedActions: [],
  contradiction: null,
  links: [toRead('self', payouts), toRead('items', `${payouts}/items`)],
  temporalUrl: runAddress('payout', ids.payout),
  createdAt: at('12:00:00'),
  updatedAt: at('12:01:00'),
};

export const payoutUnderWay = {
  ...payout,
  state: 'creating',
  version: 1,
  totals: {
    ...payout.totals,
    queued: { count: 2, amount: usd('20.00') },
    unclaimed: none,
    success: none,
  },
  providerBatchId: null,
  pendingOperation: pendingOperation('payout', usd('20.00')),
  allowedActions: ['check'],
};

export const payoutItem = {
  itemId: 'anna-2030-01',
  receiver: { type: 'EMAIL', masked: 'a…@e…' },
  amount: usd('7.50'),
  state: 'unclaimed',
  providerItemId: '8AELMXH8UB2P8',
  transactionId: '0C413693MN970190K',
  errorCode: 'RECEIVER_UNREGISTERED',
  allowedActions: ['cancel'],
  updatedAt: at('12:01:00'),
};

export const cancelledItem = { ...payoutItem, state: 'returned', errorCode: null, allowedActions: [] };
