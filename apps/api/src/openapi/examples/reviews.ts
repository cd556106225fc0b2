import { capture, payment, refund } from './payments.js';
import { payout, subscription } from './others.js';
import { at, ids, unproved } from './parts.js';

export const call = {
  at: at('12:05:00'),
  operation: 'authorization.capture',
  method: 'POST',
  path: '/v1/payments/authorization/1VH90417JR5128432/capture',
  status: null,
  error: 'timeout',
  debugId: null,
  transactionId: '1VH90417JR5128432',
  requestId: 'a1f3c1c2b7d94e3f',
  reference: 'ref-1007-1',
  durationMs: 10_000,
};

const decision = {
  id: ids.command,
  decision: 'happened',
  reason: 'The provider’s support has confirmed it.',
  resourceId: capture.id,
  isUnverified: false,
  decidedBy: 'console:anna',
  at: at('13:10:00'),
  state: 'succeeded',
  refusal: null,
};

/** A review before its decision. */
const review = {
  state: 'needs_review',
  reason: unproved('the capture'),
  possibleDecisions: ['happened', 'did_not_happen'],
  step: {
    operation: 'captureAuthorization',
    phase: 'doubt',
    looks: 10,
    inDoubtSince: at('12:05:00'),
    horizonAt: at('12:35:00'),
    nextLookAt: at('13:20:00'),
  },
  attempts: [
    {
      operation: 'captureAuthorization',
      number: 1,
      requestId: call.requestId,
      reference: call.reference,
      begunAt: at('12:05:00'),
      sendBy: at('12:05:20'),
      outcome: 'unknown',
      settledAt: at('12:05:10'),
    },
  ],
  calls: [call],
  decisions: [],
};

export const paymentReview = { paymentId: ids.payment, subject: 'step', ...review };
export const refundReview = ofSubject({ refundId: ids.refund }, 'makeRefund', 'the refund');
export const subscriptionReview = ofSubject(
  { subscriptionId: ids.subscription },
  'suspendAgreement',
  'the suspension',
);
export const payoutReview = ofSubject({ payoutId: ids.payout }, 'createPayout', 'the payout');

function ofSubject(subject: object, operation: string, step: string) {
  const attempts = review.attempts.map((attempt) => ({ ...attempt, operation }));
  return {
    ...subject,
    ...review,
    reason: unproved(step),
    step: { ...review.step, operation },
    attempts,
  };
}

const decided = { id: decision.id, state: 'succeeded' };
export const decisionResults = {
  DecisionResult: { ...decided, payment },
  RefundDecisionResult: { ...decided, refund },
  SubscriptionDecisionResult: { ...decided, subscription },
  PayoutDecisionResult: { ...decided, payout },
};
