import {
  type SubscriptionEvent,
  type SubscriptionState,
  orderedSubscription,
  transition,
} from '#workflows/lifecycle/subscription';
import {
  day,
  facts,
  now,
  order,
  orderedAt,
  patience,
  sampleEvents,
} from '../../lifecycle/subscription/sample-subscriptions.js';
import type { Explored } from './explore.js';

const impatient = { ...patience, maxAttempts: 2 };
const shown = ['Pending', 'Active', 'Suspended', 'Cancelled', 'Expired', 'On Mars'];

export const subscribing: Explored<SubscriptionState, SubscriptionEvent> = {
  starts: [
    {},
    { executeBefore: order.startAt },
    { executeBefore: order.startAt, provesLapse: true } as const,
    { executeBefore: order.startAt, provesLapse: true, endsUnsent: true } as const,
  ].map((start) => orderedSubscription({ ...order, patience: impatient, ...start }, orderedAt)),
  events: [
    ...Object.values(sampleEvents),
    { ...sampleEvents.reviewDecided, decision: 'did_not_happen' },
    { ...sampleEvents.outcomeUnknown, reviewAt: now + 600_000 },
    { ...sampleEvents.approvalFoundMissing, isOver: true },
    { ...sampleEvents.approvalFoundMissing, isCancelUnfounded: true },
    ...shown.flatMap((word): SubscriptionEvent[] => [
      { type: 'agreementExecuted', facts: facts(word) },
      { type: 'agreementExecuted', facts: facts(word, { outstandingMinor: 900 }) },
      { type: 'agreementObserved', facts: facts(word, { updatedAt: now }), book: { hasPaid: true } },
    ]),
  ],
  instants: [now, now + day, order.startAt + day],
  transition,
  likeness: (state) => [
    state.status,
    state.order.executeBefore,
    state.order.provesLapse,
    state.order.endsUnsent,
    state.agreementId,
    (state.billing?.outstandingMinor ?? 0) > 0,
    state.openStep && [state.openStep.step, state.openStep.phase, Math.min(state.openStep.attempts, 1)],
    state.lapsed,
    state.isReturnWaiting,
    state.isCancelWaiting,
    state.readsSettleAt !== undefined,
  ],
};
