import * as operators from './operators.js';
import * as others from './others.js';
import { at, ids, listOf } from './parts.js';
import * as payments from './payments.js';
import * as reviews from './reviews.js';

/** Whole answers by the name of their schema; those of a status or an operation that are another one stand below. */
export const answers: Readonly<Record<string, object>> = {
  Payment: payments.payment,
  PaymentDetails: { ...payments.payment, drift: [] },
  PaymentList: listOf(payments.payment),
  Timeline: payments.paymentTimeline,
  Capture: payments.capture,
  CaptureList: listOf(payments.capture),
  CaptureResult: {
    id: ids.command,
    state: 'succeeded',
    capture: payments.capture,
    payment: payments.payment,
  },
  Refund: payments.refund,
  RefundList: listOf(payments.refund),
  PaymentRefunds: listOf(payments.refund),
  ProviderCallList: listOf(reviews.call),
  Review: reviews.paymentReview,
  RefundReview: reviews.refundReview,
  SubscriptionReview: reviews.subscriptionReview,
  PayoutReview: reviews.payoutReview,
  ...reviews.decisionResults,
  Plan: others.plan,
  PlanList: listOf(others.plan),
  Subscription: others.subscription,
  SubscriptionList: listOf(others.subscription),
  SubscriptionPayments: others.subscriptionPayments,
  Payout: others.payout,
  PayoutList: listOf(others.payout),
  PayoutItemList: listOf(others.payoutItem),
  PayoutItemCancelResult: { id: ids.command, state: 'succeeded', item: others.cancelledItem },
  NotificationEndpoint: operators.endpoint,
  NotificationEndpointList: listOf(operators.endpoint),
  NotificationEndpointWithSecret: {
    ...operators.endpoint,
    secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  },
  NotificationTest: { notificationId: ids.notification },
  NotificationReplayed: { notifications: 12 },
  Notification: operators.notification,
  NotificationList: listOf(operators.notificationEntry),
  WebhookEvent: operators.webhookEvent,
  WebhookEventList: listOf(operators.webhookEventEntry),
  WebhookInbox: operators.webhookInbox,
  WebhookReceipt: { received: true },
  CodecSession: operators.codecSession,
  CodecSessionList: listOf(operators.codecSession),
  OpenedCodecSession: operators.openedCodecSession,
  Payloads: { payloads: [{ metadata: { encoding: 'anNvbi9wbGFpbg==' }, data: 'ImNhcHR1cmVkIg==' }] },
  DriftList: listOf(operators.drift),
  Reconciliation: operators.reconciliation,
  Health: { status: 'ok' },
};

/** Answers 201: what was ordered. */
export const ordered: Readonly<Record<string, object>> = {
  Payment: payments.orderedPayment,
  Subscription: others.orderedSubscription,
};

/** Answers 202: nobody knows the outcome yet. */
export const underWay: Readonly<Record<string, object>> = {
  Payment: payments.paymentUnderWay,
  CaptureResult: { id: ids.command, state: 'executing', capture: null, payment: payments.paymentUnderWay },
  Refund: payments.refundUnderWay,
  Plan: others.planUnderWay,
  Subscription: others.subscriptionUnderWay,
  Payout: others.payoutUnderWay,
  PayoutItemCancelResult: {
    id: ids.command,
    state: 'executing',
    item: { ...others.payoutItem, allowedActions: [] },
  },
};

/** Answers 200 of commands: what has become of the resource. */
export const done: Readonly<Record<string, object>> = {
  voidPayment: payments.voidedPayment,
  cancelPayment: payments.cancelledPayment,
  releasePayment: payments.releasedPayment,
  reauthorizePayment: payments.authorizedPayment,
  suspendSubscription: others.suspendedSubscription,
  cancelSubscription: others.cancelledSubscription,
  deactivatePlan: others.inactivePlan,
  revokeCodecSession: { ...operators.codecSession, revokedAt: at('12:02:00') },
};
