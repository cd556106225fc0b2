import type { RefundEvent } from '#workflows/lifecycle/refund';
import { facts, patience, startedAt, usd } from './sample-refunds.js';

const now = startedAt + 1_000;
const horizonAt = startedAt + patience.outcomeHorizonMs;
const untouched = { kind: 'capture', id: 'CAP-1', amount: usd(100_00), state: 'completed' } as const;
const decided = { commandId: 'cmd_9', reason: 'seen in the dashboard' };

const shows = (changes: Parameters<typeof facts>[0]): RefundEvent => ({
  type: 'refundObserved',
  facts: facts(changes),
});
const answered = (state: string): RefundEvent => ({
  type: 'refundAnswered',
  refund: { providerRefundId: 'REF-1', state },
});
const { paymentId: _none, ...ofNobody } = facts();

/** One of each kind that can happen to a refund, and of each thing that a read can show. */
export const sampleEvents: Readonly<Record<string, RefundEvent>> = {
  'answered completed': answered('completed'),
  'answered pending': answered('pending'),
  'answered failed': answered('failed'),
  'answered in an unknown state': answered('on_the_moon'),
  'came to light': {
    type: 'refundCameToLight',
    refund: { providerRefundId: 'REF-1', state: 'completed' },
  },
  declined: { type: 'stepDeclined', reason: 'The provider declined it.' },
  deferred: { type: 'stepDeferred', retryAt: now + 1_000 },
  'outcome unknown': { type: 'outcomeUnknown', horizonAt },
  'proved undone': { type: 'stepProvedUndone' },
  'look inconclusive': { type: 'lookInconclusive' },
  'step came due': { type: 'stepCameDue' },
  'review came due': { type: 'reviewCameDue' },
  'decided: happened': { type: 'reviewDecided', decision: 'happened', ...decided },
  'decision refused': { type: 'decisionRefused', commandId: 'cmd_9', code: 'too_early', reason: 'too early' },
  'decided undone': { type: 'stepDecidedUndone', reason: 'An operator has decided.' },
  'is notified': { type: 'refundNotified', eventType: 'PAYMENT.CAPTURE.REFUNDED' },
  'asked for its amount': { type: 'refundNotified', eventType: 'RECONCILIATION', isForAmount: true },
  'poll came due': { type: 'pollCameDue' },
  'shown pending': shows({ state: 'pending', collected: untouched }),
  'shown completed': shows({}),
  'shown completed, capture untouched': shows({ collected: untouched }),
  'shown failed': shows({ state: 'failed', collected: untouched }),
  'shown cancelled': shows({ state: 'cancelled', collected: untouched }),
  'shown in an unknown state': shows({ state: 'on_the_moon', collected: untouched }),
  'shown of another amount': shows({ amount: usd(41_00) }),
  'shown of another capture': shows({ collected: { ...untouched, id: 'CAP-2', state: 'refunded' } }),
  'shown above what was captured': shows({ amount: usd(100_01) }),
  'shown as nobody’s of ours': { type: 'refundObserved', facts: ofNobody },
  'shown as our own': shows({ madeBy: 're_1' }),
  'shown as our own, unanswered': shows({ madeBy: 're_1', isMakerOpen: true }),
  'missing at once': { type: 'refundFoundMissing', lookedAt: now },
  'missing at the horizon': { type: 'refundFoundMissing', lookedAt: horizonAt },
  'read failed': { type: 'observationFailed' },
};
