import {
  type RefundFacts,
  type RefundState,
  type RefundStatus,
  observedRefund,
} from '../../../libs/workflows/src/lifecycle/refund/refund.js';

export const startedAt = Date.UTC(2026, 0, 5, 12);
export const patience = { outcomeHorizonMs: 120_000, firstPollMs: 10_000, longestPollMs: 3_600_000 };
export const usd = (minor: number) => ({ minor, currency: 'USD' });

export function observed(): RefundState {
  return observedRefund({ kind: 'refund', providerRefundId: 'REF-1' }, 'pay_1', patience, startedAt);
}

/** 40.00 given back of a capture of 100.00, read back; its end, where it has one, a minute after the start. */
export function refund(status: RefundStatus): RefundState {
  if (status === 'observed') return observed();
  if (status === 'unfounded') return { ...observed(), status, reason: 'The provider does not show it.' };
  return {
    ...observed(),
    status,
    collected: { kind: 'capture', id: 'CAP-1' },
    amount: usd(40_00),
    lastLookAt: startedAt,
    ...(status === 'completed' && { refundedAt: startedAt + 60_000 }),
  };
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
