import type { Instant, Lifecycle } from '../lifecycle.js';
import type { Position } from '../progress.js';
import { type Restarted, takeUpAgain as takeUpAnyAgain } from '../restart.js';
import { describeDecision } from '../step/review.js';
import { isBookOwed, owingBook } from './book.js';
import { nextDeadline } from './deadlines.js';
import {
  type SubscriptionEffect,
  type SubscriptionEvent,
  type SubscriptionEventType,
  type SubscriptionState,
  isTerminal,
} from './subscription.js';
import { decide } from './transition.js';

export const subscriptionLifecycle: Lifecycle<SubscriptionState, SubscriptionEvent, SubscriptionEffect> = {
  decide,
  isTerminal,
  nextDeadline,
  owesAfterEnd: isBookOwed,
  quiet: new Set([
    'pollCameDue',
    'renewalCameDue',
    'stepCameDue',
    'lookInconclusive',
    'providerNotified',
    'observationFailed',
    // Until it ends something: while an execution is under way it is only kept in mind.
    'payerCancelled',
  ]),
  detailOf,
};

function detailOf(event: SubscriptionEvent): string | undefined {
  switch (event.type) {
    case 'reviewDecided':
      return describeDecision(event);
    case 'suspendRequested':
    case 'reactivateRequested':
    case 'cancelRequested':
      return event.note;
    case 'agreementObserved':
      return event.book?.told;
    default:
      return undefined;
  }
}

/** @param rows the subscription as its rows have it; it has not ended. */
export function takeUpAgain(rows: Position<SubscriptionState>, now: Instant): Restarted<SubscriptionState> {
  return takeUpAnyAgain({ ...rows, state: owingAll(rows.state, now) }, now, (state) => ({
    ...state,
    readOwed: true,
    polls: 0,
    lastPollAt: now - state.order.patience.firstPollMs,
  }));
}

/** What the lost run was told of payments, and had not read yet, is in no row. */
function owingAll(state: SubscriptionState, now: Instant): SubscriptionState {
  return state.agreementId === undefined ? state : owingBook(state, now);
}

/** Who sends them has seen the rows. */
const asked: ReadonlySet<SubscriptionEventType> = new Set([
  'suspendRequested',
  'reactivateRequested',
  'cancelRequested',
  'payerApproved',
  'payerCancelled',
]);

/**
 * What to look at before a request is turned away that has no place in the state which the run knows: the rows can be
 * ahead of a run whose worker died after it had written them.
 *
 * @returns undefined where the request is taken, or nothing that a look could show would let it be.
 */
export function lookBeforeRefusal(
  state: SubscriptionState,
  event: SubscriptionEvent,
  now: Instant,
): SubscriptionEffect | undefined {
  if (!asked.has(event.type) || isTerminal(state.status)) return undefined;
  const { kind } = decide(state, event, now);
  const hasNoPlace = kind === 'refused' || (kind === 'stale' && state.status === 'creating');
  if (!hasNoPlace) return undefined;
  const { openStep, agreementId } = state;
  if (!openStep) return agreementId === undefined ? undefined : { type: 'observe' };
  if (openStep.phase !== 'doubt') return undefined;
  return { type: 'lookUp', step: openStep.step, horizonAt: openStep.horizonAt };
}
