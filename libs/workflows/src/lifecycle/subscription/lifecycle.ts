import type { Instant, Lifecycle } from '../lifecycle.js';
import type { Position } from '../progress.js';
import { type Restarted, owingPoll, restartFrom as takeUpAnyAgain } from '../restart.js';
import { lookBeforeRefusalOf } from '../step/look-before-refusal.js';
import { describeDecision } from '../step/review.js';
import { isBookOwed, owingBook } from './book.js';
import { nextDeadline } from './deadlines.js';
import {
  type SubscriptionEffect,
  type SubscriptionEvent,
  type SubscriptionState,
  type SubscriptionStep,
  isTerminal,
} from './subscription.js';
import { transition } from './transition.js';

export const subscriptionLifecycle: Lifecycle<SubscriptionState, SubscriptionEvent, SubscriptionEffect> = {
  transition,
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
export function restartFrom(rows: Position<SubscriptionState>, now: Instant): Restarted<SubscriptionState> {
  return takeUpAnyAgain({ ...rows, state: owingAll(rows.state, now) }, now, owingPoll);
}

/** What the lost run was told of payments, and had not read yet, is in no row. */
function owingAll(state: SubscriptionState, now: Instant): SubscriptionState {
  return state.agreementId === undefined ? state : owingBook(state, now);
}

export const lookBeforeRefusal = lookBeforeRefusalOf<
  SubscriptionState,
  SubscriptionStep,
  SubscriptionEvent,
  SubscriptionEffect
>({
  transition,
  isTerminal,
  requests: new Set([
    'suspendRequested',
    'reactivateRequested',
    'cancelRequested',
    'payerApproved',
    'payerCancelled',
  ]),
  // An agreement that is not executed cannot be read.
  read: ({ agreementId }) => (agreementId === undefined ? undefined : { type: 'observe' }),
});
