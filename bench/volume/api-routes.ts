import { idCursor, numberCursor } from '#api/wire/pages.js';
import type { Samples } from './samples.js';

type Paths = Readonly<Record<string, string>>;

/** The lists of the public API with each of their filters, from the first page and from the middle. */
export function apiPaths(samples: Samples, now: number): Paths {
  const ago = (days: number): string => new Date(now - days * 86_400_000).toISOString();
  return { ...paymentLists(samples, ago), ...subjectLists(samples, ago), ...messageLists(samples, ago) };
}

/** What a small application sees beside a large one. */
export const smallLists = [
  '/v1/payments',
  '/v1/payments?state=captured',
  '/v1/webhook-events',
  '/v1/notifications',
];

type Ago = (days: number) => string;

function paymentLists({ middle, ...sample }: Samples, ago: Ago): Paths {
  return {
    payments: '/v1/payments',
    'payments, middle': `/v1/payments?cursor=${idCursor('payment').write(middle.payment)}`,
    'payments, 100': '/v1/payments?limit=100',
    'payments, captured': '/v1/payments?state=captured',
    'payments, in review': '/v1/payments?state=needs_review',
    'payments, rare states': '/v1/payments?state=needs_review,expired,capturing',
    'payments, rare and frequent': '/v1/payments?state=needs_review,authorized,awaiting_approval',
    'payments, open': '/v1/payments?state=authorized,partially_captured',
    'payments, open, middle': `/v1/payments?state=authorized,expired&cursor=${idCursor('payment').write(middle.payment)}`,
    'payments of an order': `/v1/payments?orderId=${sample.order}`,
    'payments of one order': '/v1/payments?orderId=order-repeated',
    'payments of a week': `/v1/payments?createdFrom=${ago(60)}&createdTo=${ago(53)}`,
    'payments of a week, in review': `/v1/payments?createdFrom=${ago(60)}&createdTo=${ago(53)}&state=needs_review`,
    'payments, old': `/v1/payments?createdTo=${ago(94)}`,
    'payments, none so old': `/v1/payments?createdTo=${ago(1_000)}`,
    'payments, usual amounts': '/v1/payments?currency=USD&minAmount=10.00&maxAmount=100.00',
    'payments of one amount': '/v1/payments?currency=USD&minAmount=77.77&maxAmount=77.77',
    'payments, large amounts': '/v1/payments?currency=USD&minAmount=860.00',
    'payments, rare currency': '/v1/payments?currency=JPY',
    'payments, absent amount': '/v1/payments?currency=USD&minAmount=100000.00',
    'payments, amount and state': '/v1/payments?currency=USD&minAmount=1.00&state=authorized',
    'payment by provider’s id': `/v1/payments?providerId=${sample.resource}`,
    'payments, expiring': `/v1/payments?expiringBefore=${ago(-30)}`,
    'payments, expiring soon': `/v1/payments?expiringBefore=${ago(-3)}`,
  };
}

function subjectLists({ middle, ...sample }: Samples, ago: Ago): Paths {
  return {
    payment: `/v1/payments/${sample.payment}`,
    'payment, calls': `/v1/payments/${sample.payment}/calls`,
    'payment, timeline': `/v1/payments/${sample.payment}/timeline`,
    'payment, captures': `/v1/payments/${sample.payment}/captures`,
    'payment, refunds': `/v1/payments/${sample.refunded}/refunds`,
    refunds: '/v1/refunds',
    'refunds, middle': `/v1/refunds?cursor=${idCursor('refund').write(middle.refund)}`,
    'refunds, completed': '/v1/refunds?state=completed',
    'refunds, in review': '/v1/refunds?state=needs_review',
    'refunds of a payment': `/v1/refunds?paymentId=${sample.refunded}`,
    'refunds of a week': `/v1/refunds?createdFrom=${ago(60)}&createdTo=${ago(53)}`,
    'refunds, none so old': `/v1/refunds?createdTo=${ago(1_000)}`,
    refund: `/v1/refunds/${sample.refund}`,
    plans: '/v1/plans',
    'plans, inactive': '/v1/plans?state=inactive',
    subscriptions: '/v1/subscriptions',
    'subscriptions, suspended': '/v1/subscriptions?state=suspended',
    'subscriptions of a plan': `/v1/subscriptions?planId=${sample.popularPlan}`,
    'subscription, payments': `/v1/subscriptions/${sample.subscription}/payments`,
    payouts: '/v1/payouts',
    'payouts, denied': '/v1/payouts?state=denied',
    'payout, items': `/v1/payouts/${sample.payout}/items`,
  };
}

/** Webhook events, notifications, and what else an application lists. */
function messageLists({ middle, ...sample }: Samples, ago: Ago): Paths {
  return {
    'webhook events': '/v1/webhook-events',
    'webhook events, middle': `/v1/webhook-events?cursor=${numberCursor.write(Number(middle.event))}`,
    'webhook events, applied': '/v1/webhook-events?state=applied',
    'webhook events, ignored': '/v1/webhook-events?state=ignored',
    'webhook events, parked': '/v1/webhook-events?state=parked',
    'webhook events, conflict': '/v1/webhook-events?state=conflict',
    'webhook events, rare type': '/v1/webhook-events?type=RARE.EVENT',
    'webhook events, no such type': '/v1/webhook-events?type=NO.SUCH.EVENT',
    'webhook events of a payment': `/v1/webhook-events?payment=${sample.payment}`,
    'webhook events of a week': `/v1/webhook-events?since=${ago(7)}`,
    'webhook events, none so young': `/v1/webhook-events?since=${ago(-1)}`,
    'webhook inbox': '/v1/webhook-inbox',
    notifications: '/v1/notifications',
    'notifications, middle': `/v1/notifications?cursor=${numberCursor.write(Number(middle.notification))}`,
    'notifications, rare type': '/v1/notifications?type=payment.declined',
    'notifications of a payment': `/v1/notifications?subject=${sample.payment}`,
    'notifications of an endpoint': `/v1/notifications?endpoint=${sample.endpoint}`,
    'notifications, delivered': '/v1/notifications?state=delivered',
    'notifications, failed': '/v1/notifications?state=failed',
    'notifications, pending': '/v1/notifications?state=pending',
    'notifications of a week': `/v1/notifications?from=${ago(60)}&to=${ago(53)}`,
    'notifications, none so old': `/v1/notifications?to=${ago(1_000)}`,
    drift: '/v1/drift',
    'drift, open': '/v1/drift?resolved=false',
    'drift, middle': `/v1/drift?cursor=${numberCursor.write(Number(middle.drift))}`,
    'drift, unread': '/v1/drift?kind=unread',
    reconciliation: '/v1/reconciliation',
    'notification endpoints': '/v1/notification-endpoints',
    'codec sessions': '/v1/codec-sessions',
  };
}
