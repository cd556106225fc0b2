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

/** How the request goes on while its outcome is open. */
const openStepRow: Row = {
  ...steps.whileOpen,
  refundNotified: steps.take,
};

/** Until it has ended, every hint and every poll is a reason to read it. */
const openRow: Row = {
  refundNotified: (state, { isCheck }, now) =>
    isCheck ? { kind: 'moved', state, effect: { type: 'observe' } } : look(state, now),
  pollCameDue: (state, _event, now) => look({ ...state, polls: state.polls + 1 }, now),
  refundObserved: (state, { facts }, now) => takeFacts(state, facts, now),
};

const terminalRow: Row = {
  refundObserved: (state, { facts }) => contradictionIn(state, facts),
};

/** The provider may tell later how much it was that went back. */
const completedRow: Row = {
  refundNotified: (state, { isForAmount }, now) =>
    isForAmount && !state.amount ? look(state, now) : { kind: 'stale', state },
  refundObserved: (state, { facts }) => takeLateAmount(state, facts),
};

/** Given up on the word of a provider that was slower than it promised: then what it shows of it goes before that. */
const givenUpRow: Row = {
  ...terminalRow,
  refundCameToLight: takeLateRefund,
};

const resumed = steps.resumeReviewed(transitionRefund);

/** The life of a refund, asked for or made elsewhere: which event is taken in which state. */
const table: Readonly<Record<RefundStatus, Row>> = {
  requesting: {
    ...openStepRow,
    refundAnswered: takeAnswer,
    stepDeclined: decline,
  },
  observed: { ...openRow, refundFoundMissing: takeAbsence },
  // It has been shown before: a read that does not show it now lags.
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
 * The whole lifecycle as one pure function. What the table does not list told nothing new; a decision about something
 * that is not under review is refused.
 *
 * @param now wall-clock milliseconds; the workflow's own clock where a run asks, so that a replay computes the same.
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

/** One look that shows nothing proves nothing: only one that began after reads can lag no more does. */
function takeAbsence(
  state: RefundState,
  { lookedAt }: EventOf<'refundFoundMissing'>,
): RefundTransitionResult {
  if (lookedAt < state.startedAt + state.patience.outcomeHorizonMs) return { kind: 'stale', state };
  return { kind: 'moved', state: { ...state, status: 'unfounded', reason: notShown } };
}
