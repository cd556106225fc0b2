import { type RefundEvent, type RefundState, transitionRefund } from '#workflows/lifecycle/refund';
import { sampleEvents } from '../../lifecycle/refund/sample-events.js';
import { observed, patience, request, startedAt } from '../../lifecycle/refund/sample-refunds.js';
import type { Explored } from './explore.js';

const impatient = { ...patience, maxAttempts: 2 };

export const refunding: Explored<RefundState, RefundEvent> = {
  starts: [request(), observed()].map((state) => ({ ...state, patience: impatient })),
  events: [
    ...Object.values(sampleEvents),
    { type: 'refundAnswered', refund: { providerRefundId: 'REF-1', state: 'cancelled' } },
  ],
  instants: [startedAt + 1_000, startedAt + 2 * patience.outcomeHorizonMs],
  transition: transitionRefund,
  likeness: ({ status, claim, providerRefundId, openStep, collected, uncorroboratedSince }) => [
    status,
    claim.kind,
    providerRefundId,
    collected?.id,
    uncorroboratedSince,
    openStep && [openStep.phase, openStep.attempts],
  ],
};
