import { paymentAnswer, captureAnswer } from '#api/payments/payment-answers.js';
import { itemCancelAnswer, payoutAnswer, payoutItemListAnswer } from '#api/payouts/payout-answers.js';
import { planAnswer } from '#api/plans/plan-answers.js';
import { problemDocument } from '#api/problems/problem-document.js';
import { paymentRefundsAnswer, shownRefund } from '#api/refunds/refund-answers.js';
import { subscriptionPaymentsAnswer } from '#api/subscriptions/subscription-view.js';

/** Answers as the API gives them: each is parsed by the API's own schema, so that none can differ from it. */

const at = '2030-01-31T12:00:00Z';
const usd = { value: '10.00', currency: 'USD' };
const shownAlike = {
  version: 1,
  reason: null,
  pendingOperation: null,
  links: [],
  temporalUrl: null,
  metadata: {},
  allowedActions: [],
};
const dated = { createdAt: at, updatedAt: at };

interface Parts {
  readonly captures?: readonly object[];
  readonly sale?: object;
  readonly refunds?: readonly object[];
}

const captureOf = (state: string) => ({ id: 'C1', amount: usd, state, final: true });

export function payment(state: string, { captures = [], sale, refunds = [] }: Parts = {}): unknown {
  return paymentAnswer.parse({
    ...shownAlike,
    ...dated,
    id: 'pay_1',
    orderId: '7',
    intent: 'authorize',
    state,
    approvalUrl: null,
    amount: usd,
    amountDetails: null,
    amounts: {
      authorized: usd,
      captured: usd,
      pending: usd,
      capturable: usd,
      released: usd,
      refunded: usd,
      refundable: usd,
      reversed: usd,
    },
    captures,
    sale: sale ?? null,
    refunds,
    deadlines: {
      approvalBy: null,
      capturesAt: null,
      honourUntil: null,
      reauthorizesAt: null,
      settlesAt: null,
      captureUntil: null,
    },
    warning: null,
    capturePolicy: null,
    honourPolicy: null,
    expiryPolicy: null,
    authorizations: [],
    allowedActions: [],
  });
}

export const withCapture = (capture: string, state = 'captured') =>
  payment(state, { captures: [captureOf(capture)] });
export const withSale = (state: string) => payment('completed', { sale: { id: 'S1', amount: usd, state } });
export const withRefund = (state: string) => payment('captured', { refunds: [refund(state) as object] });

/** To POST …/captures. */
export function captured(capture: string, state: string): unknown {
  return captureAnswer.parse({
    id: 'cmd_1',
    state: 'succeeded',
    capture: captureOf(capture),
    payment: payment(state),
  });
}

export function refund(state: string): unknown {
  return shownRefund.parse({
    ...shownAlike,
    id: 're_1',
    paymentId: 'pay_1',
    kind: 'refund',
    origin: 'order_service',
    providerRefundId: null,
    amount: usd,
    state,
    description: null,
    providerReason: null,
    captureId: null,
    saleId: null,
    refundedAt: null,
    timeline: [],
  });
}

export const refunds = (state: string) =>
  paymentRefundsAnswer.parse({ data: [refund(state)], nextCursor: null });

export function payout(state: string): unknown {
  return payoutAnswer.parse({
    ...shownAlike,
    ...dated,
    id: 'po_1',
    reference: null,
    state,
    itemCount: 1,
    amount: usd,
    totals: Object.fromEntries(itemStatuses.map((each) => [each, { count: 0, amount: usd }])),
    providerBatchId: null,
    contradiction: null,
  });
}

const itemStatuses = payoutAnswer.shape.totals.keyType.options;

const itemOf = (state: string) => ({
  itemId: 'anna',
  receiver: { type: 'EMAIL', masked: 'a…@e…' },
  amount: usd,
  state,
  providerItemId: null,
  transactionId: null,
  errorCode: null,
  updatedAt: at,
  allowedActions: [],
});

export const items = (state: string) =>
  payoutItemListAnswer.parse({ data: [itemOf(state)], nextCursor: null });
export const cancelledItem = (state: string) =>
  itemCancelAnswer.parse({ id: 'cmd_2', state: 'succeeded', item: itemOf(state) });

export const cycles = (state: string) =>
  subscriptionPaymentsAnswer.parse({
    // The id of one that moved no money begins like the subscription's.
    data: [{ id: 'sub_1.1893456000000', at, state, amount: usd }],
    nextCursor: null,
    collected: usd,
  });

export function plan(state: string): unknown {
  return planAnswer.parse({
    ...shownAlike,
    ...dated,
    id: 'plan_1',
    state,
    name: 'Magazine',
    description: 'Magazine, every month',
    currency: 'USD',
    regular: null,
    trial: null,
    setupFee: null,
    setupFeeFailure: 'continue',
    autoBillsOutstanding: false,
    maxFailedPayments: 0,
  });
}

export function problem(status: number, members: object): unknown {
  const kind = { type: 'urn:payments:problem:conflict', title: 'no', code: 'conflict' };
  return problemDocument.parse({ ...kind, status, ...members });
}
