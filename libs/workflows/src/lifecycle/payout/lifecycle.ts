import type { Instant, Lifecycle } from '../lifecycle.js';
import { type Position as PositionOf } from '../progress.js';
import { type Restarted, takeUpAgain as takeUpAnyAgain } from '../restart.js';
import { describeDecision } from '../step/review.js';
import { nextDeadline } from './deadlines.js';
import { type PayoutEffect, type PayoutEvent, type PayoutState, isTerminal } from './payout.js';
import { decide } from './transition.js';

export type Position = PositionOf<PayoutState>;

export const payoutLifecycle: Lifecycle<PayoutState, PayoutEvent, PayoutEffect> = {
  decide,
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
export function takeUpAgain(rows: Position, now: Instant): Restarted<PayoutState> {
  return takeUpAnyAgain(rows, now, (state) => ({ ...state, polls: 0, readAt: now }));
}

/**
 * What to look at before a cancellation is turned away that has no place in the state which the run knows: the rows, which
 * let it through, can be ahead of the run.
 *
 * @returns undefined where it is taken, or nothing that a look could show would let it be.
 */
export function lookBeforeRefusal(
  state: PayoutState,
  event: PayoutEvent,
  now: Instant,
): PayoutEffect | undefined {
  if (event.type !== 'itemCancelRequested' || isTerminal(state.status)) return undefined;
  if (decide(state, event, now).kind !== 'refused') return undefined;
  const { openStep } = state;
  if (!openStep) return { type: 'observe', items: 'all' };
  if (openStep.phase !== 'doubt' || openStep.step.type === 'createPayout') return undefined;
  return { type: 'lookUp', step: openStep.step, horizonAt: openStep.horizonAt };
}
