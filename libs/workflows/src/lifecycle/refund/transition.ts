import { type Instant, refuse } from '../lifecycle.js';
import { decideReview, refuseDecision } from '../step/review.js';
import { takeLateRefund } from './late-refund.js';
import { contradictionIn, takeFacts, takeLateAmount } from './read-back.js';
import type {
  RefundTransitionResult,
  RefundEvent,
  RefundEventType,
  RefundState,
  RefundStatus,
} from './refund.js';
import { abandonStep, decline, steps, takeAnswer } from './open-step.js';

type EventOf<T extends RefundEventType> = Extract<RefundEvent, { type: T }>;
type Rule<T extends RefundEventType> = (
  state: RefundState,
  event: EventOf<T>,
  now: Instant,
) => RefundTransitionResult;
type Row = { readonly [T in RefundEventType]?: Rule<T> };

const notShown = 'The provider does not show it.';

/** The rules of the open step. */
const openStepRow: Row = {
  ...steps.whileOpen,
  refundNotified: steps.take,
};

/** An open refund is read at every hint and poll. */
const openRow: Row = {
  refundNotified: (state, { isCheck }, now) =>
    isCheck ? { kind: 'moved', state, effect: { type: 'observe' } } : look(state, now),
  pollCameDue: (state, _event, now) => look({ ...state, polls: state.polls + 1 }, now),
  refundObserved: (state, { facts }, now) => takeFacts(state, facts, now),
};

const terminalRow: Row = {
  refundObserved: (state, { facts }) => contradictionIn(state, facts),
};

/** The provider may show the amount later. */
const completedRow: Row = {
  refundNotified: (state, { isForAmount }, now) =>
    isForAmount && !state.amount ? look(state, now) : { kind: 'stale', state },
  refundObserved: (state, { facts }) => takeLateAmount(state, facts),
};

/** A given-up request that the provider carried out later than it promised: the provider's answer counts. */
const givenUpRow: Row = {
  ...terminalRow,
  refundCameToLight: takeLateRefund,
};

const resumed = steps.resumeReviewed(transitionRefund);

/** The lifecycle of a refund, requested or made elsewhere: the events of each state. */
const table: Readonly<Record<RefundStatus, Row>> = {
  requesting: {
    ...openStepRow,
    refundAnswered: takeAnswer,
    stepDeclined: decline,
  },
  observed: { ...openRow, refundFoundMissing: takeAbsence },
  // It was shown before, so a read without it lags.
  pending: openRow,
  needs_review: {
    ...openStepRow,
    refundAnswered: resumed,
    stepDeclined: resumed,
    stepDeferred: resumed,
    stepProvedUndone: resumed,
    reviewDecided: decideReview,
    decisionRefused: refuseDecision,
    stepDecidedUndone: abandonStep,
  },
  completed: completedRow,
  failed: givenUpRow,
  cancelled: terminalRow,
  declined: givenUpRow,
  unfounded: terminalRow,
};

/**
 * The whole lifecycle as one pure function. Unlisted events are stale; a decision without a review is refused.
 *
 * @param now wall-clock milliseconds; in a run, the workflow's clock, so that a replay computes the same.
 */
export function transitionRefund(
  state: RefundState,
  event: RefundEvent,
  now: Instant,
): RefundTransitionResult {
  const rule = table[state.status][event.type] as Rule<typeof event.type> | undefined;
  if (rule) return rule(state, event, now);
  if (event.type !== 'reviewDecided') return { kind: 'stale', state };
  return refuse(state, 'not_allowed_in_state', `A refund that is ${state.status} is not under review.`);
}

function look(state: RefundState, now: Instant): RefundTransitionResult {
  return { kind: 'moved', state: { ...state, lastLookAt: now }, effect: { type: 'observe' } };
}

/** A read without the refund proves absence only if it began when reads could no longer lag. */
function takeAbsence(
  state: RefundState,
  { lookedAt }: EventOf<'refundFoundMissing'>,
): RefundTransitionResult {
  if (lookedAt < state.startedAt + state.patience.outcomeHorizonMs) return { kind: 'stale', state };
  return { kind: 'moved', state: { ...state, status: 'unfounded', reason: notShown } };
}
