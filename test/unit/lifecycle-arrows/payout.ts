import { type PayoutEvent, type PayoutState, orderedPayout, transition } from '#workflows/lifecycle/payout';
import {
  day,
  ended,
  now,
  open,
  order,
  patience,
  sampleEvents,
} from '../../lifecycle/payout/sample-payouts.js';
import type { Explored } from './explore.js';

const totals = [undefined, open, ended];

export const paying: Explored<PayoutState, PayoutEvent> = {
  starts: [orderedPayout({ ...order, patience: { ...patience, maxAttempts: 2 } })],
  events: [
    ...Object.values(sampleEvents),
    { ...sampleEvents.reviewDecided, decision: 'did_not_happen' },
    { ...sampleEvents.outcomeUnknown, reviewAt: now + 300_000 },
    { type: 'itemCancelled', totals: open },
    ...['PENDING', 'PROCESSING', 'SUCCESS', 'DENIED', 'CANCELED', 'ON_MARS'].flatMap((batchStatus) =>
      totals.map((items): PayoutEvent => ({
        type: 'payoutObserved',
        facts: { batchStatus, ...(items && { totals: items }) },
      })),
    ),
  ],
  instants: [now, now + 3_600_000, now + 40 * day],
  transition,
  likeness: (state) => [
    state.status,
    state.providerBatchId,
    state.openStep && [state.openStep.step.type, state.openStep.phase, Math.min(state.openStep.attempts, 1)],
    state.totals,
    state.readAt !== undefined,
  ],
};
