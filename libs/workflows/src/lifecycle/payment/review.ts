import { amountsOf, isOtherAmount } from './amounts.js';
import { withHoldEnd } from './beside-pending.js';
import type { Instant } from '../lifecycle.js';
import { isAboutAnotherStep, refuseImpossible, refuseOutdated } from '../step/review.js';
import type { MoneyStep, PaymentState, ReviewDecision } from './payment.js';
import type { TransitionResult, PaymentEvent } from './event.js';
import { afterCaptures, beginHold, beginVoid, end, finishCapture, moved, released } from './rules.js';
import { failStep } from './open-step.js';
import { afterSale } from './sale.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

/**
 * What a review is about: whether a step happened, a hold or sale of another amount, or a capture that the provider
 * does not show.
 */
export const reviewSubjects = ['step', 'amount', 'sale_amount', 'unseen_capture'] as const;
export type ReviewSubject = (typeof reviewSubjects)[number];

const decisionsAbout: Readonly<Record<ReviewSubject, readonly ReviewDecision[]>> = {
  step: ['happened', 'did_not_happen'],
  amount: ['void', 'keep'],
  // The money was taken: a sale cannot be voided, only refunded.
  sale_amount: ['keep'],
  unseen_capture: ['happened', 'did_not_happen'],
};

export function reviewSubject(state: PaymentState): ReviewSubject | undefined {
  if (state.status !== 'needs_review') return undefined;
  if (state.openStep) return 'step';
  if (!isOtherAmount(state)) return 'unseen_capture';
  return state.sale ? 'sale_amount' : 'amount';
}

export function possibleDecisions(state: PaymentState): readonly ReviewDecision[] {
  const subject = reviewSubject(state);
  return subject ? decisionsAbout[subject] : [];
}

/**
 * Whether only the provider can show the step's result: "declined" with an authorization that nobody watches would be worse than
 * a payment that waits.
 */
export function isReadRequired({ type }: MoneyStep): boolean {
  return type === 'createPayment' || type === 'executePayment';
}

/** Whether an operator's word alone can decide the review while the provider cannot be read. */
export function isDecidedOnWord(state: PaymentState): boolean {
  const { openStep } = state;
  return openStep ? !isReadRequired(openStep.step) : reviewSubject(state) === 'unseen_capture';
}

/**
 * Takes an operator's decision. `happened` and `did_not_happen` are checked against the provider before they take
 * effect. The only decision that sends a call is `void`.
 */
export function decideReview(
  state: PaymentState,
  event: EventOf<'reviewDecided'>,
  now: Instant,
): TransitionResult {
  const { type: _type, ...decided } = event;
  const possible = possibleDecisions(state);
  if (isAboutAnotherStep(state, decided)) return refuseOutdated(state);
  if (!possible.includes(decided.decision)) return refuseImpossible(state, possible);
  switch (decided.decision) {
    case 'void':
      return beginVoid(state, decided.commandId, now);
    case 'keep':
      return keepAmount(state, now);
    case 'happened':
    case 'did_not_happen':
      return moved(state, { type: 'verifyDecision', decided });
  }
}

/** The payment continues like one of the ordered amount. At most the ordered amount can be captured. */
function keepAmount(state: PaymentState, now: Instant): TransitionResult {
  const accepted = { ...state, isHeldAmountAccepted: true };
  if (state.sale) return moved(afterSale(accepted, state.sale, now));
  const kept = afterCaptures(accepted, now);
  return kept.status === 'authorized' ? beginHold(kept, now) : moved(kept);
}

/** The step did not happen and is not repeated: a caller that still wants it must request it again. */
export function abandonStep(
  state: PaymentState,
  { reason }: EventOf<'stepDecidedUndone'>,
  now: Instant,
): TransitionResult {
  const { openStep } = state;
  if (!openStep) {
    if (reviewSubject(state) !== 'unseen_capture') return { kind: 'stale', state };
    // A pending capture that a read has shown meanwhile decides how the payment ends; in older orders it does not.
    const isOver = !state.order.holdsRest || amountsOf(state).pending === 0;
    if (!isOver) return moved(afterCaptures(withHoldEnd(state, 'expired'), now));
    return moved(released(state, 'expired', now, reason));
  }
  const { type } = openStep.step;
  if (type === 'createPayment' || type === 'executePayment') return end(state, 'declined', now, reason);
  return failStep(state, { reason }, now);
}

/** Takes a capture that an operator has found and the provider did not show. */
export function takeFoundCapture(
  state: PaymentState,
  event: EventOf<'captureAnswered'>,
  now: Instant,
): TransitionResult {
  return reviewSubject(state) === 'unseen_capture'
    ? finishCapture(state, event, now)
    : { kind: 'stale', state };
}
