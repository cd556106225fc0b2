import type { WaitPolicy } from '#workflows/lifecycle';
import {
  type RefundFacts,
  type RefundState,
  type RefundStatus,
  observedRefund,
  requestedRefund,
} from '#workflows/lifecycle/refund';

export const startedAt = Date.UTC(2026, 0, 5, 12);
export const patience: WaitPolicy = {
  outcomeHorizonMs: 120_000,
  firstLookMs: 2_000,
  firstRetryMs: 1_000,
  firstPollMs: 10_000,
  longestPollMs: 3_600_000,
  maxAttempts: 3,
  reviewAfterMs: 900_000,
};
export const usd = (minor: number) => ({ minor, currency: 'USD' });

const claim = {
  kind: 'request',
  collected: { kind: 'capture', id: 'CAP-1' },
  amount: usd(40_00),
  providerPaymentId: 'PAY-1',
} as const;

/** 40.00 asked for of a capture of 100.00; on its way to the provider. */
export function request(): RefundState {
  return requestedRefund(claim, { paymentId: 'pay_1', commandId: 're_1:request' }, patience, startedAt);
}

/** Its answer was lost. */
export function doubtedRequest(status: 'requesting' | 'needs_review' = 'requesting'): RefundState {
  const { openStep, ...state } = request();
  if (!openStep) throw new Error('a request has a step');
  const horizonAt = startedAt + patience.outcomeHorizonMs;
  return {
    ...state,
    status,
    openStep: { ...openStep, phase: 'doubt', horizonAt, nextAt: startedAt + patience.firstLookMs },
  };
}

export function pendingRequest(): RefundState {
  const { openStep: _answered, ...state } = request();
  return { ...state, status: 'pending', providerRefundId: 'REF-1', lastLookAt: startedAt };
}

export function observed(): RefundState {
  return observedRefund({ kind: 'refund', providerRefundId: 'REF-1' }, 'pay_1', patience, startedAt);
}

/** 40.00 given back of a capture of 100.00; its end, where it has one, a minute after the start. */
export function refund(status: RefundStatus): RefundState {
  switch (status) {
    case 'requesting':
      return request();
    case 'needs_review':
      return doubtedRequest('needs_review');
    case 'declined': {
      const { openStep: _answered, ...state } = request();
      return { ...state, status, reason: 'The provider declined it (TRANSACTION_REFUSED).' };
    }
    case 'observed':
      return observed();
    case 'unfounded':
      return { ...observed(), status, reason: 'The provider does not show it.' };
    default:
      return {
        ...observed(),
        status,
        collected: { kind: 'capture', id: 'CAP-1' },
        amount: usd(40_00),
        lastLookAt: startedAt,
        ...(status === 'completed' && { refundedAt: startedAt + 60_000 }),
      };
  }
}

export function facts(changes: Partial<RefundFacts> = {}): RefundFacts {
  return {
    state: 'completed',
    amount: usd(40_00),
    collected: { kind: 'capture', id: 'CAP-1', amount: usd(100_00), state: 'partially_refunded' },
    paymentId: 'pay_1',
    settledAt: startedAt + 60_000,
    ...changes,
  };
}
