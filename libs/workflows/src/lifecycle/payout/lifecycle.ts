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
  // `providerNotified` is not quiet: in the row it shows that a read is due, so that thousands of further events do not
  // wake the run.
  quiet: new Set(['pollCameDue', 'stepCameDue', 'lookInconclusive', 'observationFailed']),
  detailOf: (event) => {
    if (event.type === 'reviewDecided') return describeDecision(event);
    return event.type === 'providerNotified' ? event.eventType : undefined;
  },
};

/** @param rows the state in the payout's row; the payout has not ended. */
export function restartFrom(rows: Position, now: Instant): Restarted<PayoutState> {
  return takeUpAnyAgain(rows, now, (state) => ({ ...state, polls: 0, readAt: now }));
}

export const lookBeforeRefusal = lookBeforeRefusalOf<PayoutState, PayoutStep, PayoutEvent, PayoutEffect>({
  transition,
  isTerminal,
  requests: new Set(['itemCancelRequested']),
  read: () => ({ type: 'observe', items: 'all' }),
  // A creation with an unknown outcome is repeated, not looked up.
  isLookedUp: ({ type }) => type !== 'createPayout',
});
