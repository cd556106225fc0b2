import type { Instant, Lifecycle } from '../lifecycle.js';
import { type Position as PositionOf } from '../progress.js';
import { type Restarted, restartFrom as takeUpAnyAgain } from '../restart.js';
import { lookBeforeRefusalOf } from '../step/look-before-refusal.js';
import { describeDecision } from '../step/review.js';
import { nextDeadline } from './deadlines.js';
import {
  type PayoutEffect,
  type PayoutEvent,
  type PayoutState,
  type PayoutStep,
  isTerminal,
} from './payout.js';
import { transition } from './transition.js';

export type Position = PositionOf<PayoutState>;

export const payoutLifecycle: Lifecycle<PayoutState, PayoutEvent, PayoutEffect> = {
  transition,
  isTerminal,
  nextDeadline,
  owesAfterEnd: (state) => nextDeadline(state) !== undefined,
  // That an event has asked for a read is told: in the row it keeps the thousands after it from asking again.
  quiet: new Set(['pollCameDue', 'stepCameDue', 'lookInconclusive', 'observationFailed']),
  detailOf: (event) => {
    if (event.type === 'reviewDecided') return describeDecision(event);
    return event.type === 'providerNotified' ? event.eventType : undefined;
  },
};

/** @param rows the payout as its rows have it; it has not ended. */
export function restartFrom(rows: Position, now: Instant): Restarted<PayoutState> {
  return takeUpAnyAgain(rows, now, (state) => ({ ...state, polls: 0, readAt: now }));
}

export const lookBeforeRefusal = lookBeforeRefusalOf<PayoutState, PayoutStep, PayoutEvent, PayoutEffect>({
  transition,
  isTerminal,
  requests: new Set(['itemCancelRequested']),
  read: () => ({ type: 'observe', items: 'all' }),
  // A creation in doubt is asked again for.
  isLookedUp: ({ type }) => type !== 'createPayout',
});
