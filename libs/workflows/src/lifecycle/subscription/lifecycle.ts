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
    // Quiet during an execution, when it is only remembered; it gets a line when it ends the subscription.
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
    case 'billBalanceRequested':
    case 'setBalanceRequested':
      return event.note;
    case 'agreementObserved':
      return event.book?.told;
    case 'approvalFoundMissing':
      return event.isCancelUnfounded ? 'A cancellation that no payer has asked for is ignored.' : undefined;
    default:
      return undefined;
  }
}

/** @param rows the state in the subscription's row; the subscription has not ended. */
export function restartFrom(rows: Position<SubscriptionState>, now: Instant): Restarted<SubscriptionState> {
  return takeUpAnyAgain({ ...rows, state: owingAll(rows.state, now) }, now, owingPoll);
}

/** Hints about payments that the lost run had not read yet are in no row, so all reads are due. */
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
    'billBalanceRequested',
    'setBalanceRequested',
    'payerApproved',
    'payerCancelled',
  ]),
  // An unexecuted agreement cannot be read.
  read: ({ agreementId }) => (agreementId === undefined ? undefined : { type: 'observe' }),
});
