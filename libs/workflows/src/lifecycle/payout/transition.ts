import { type Instant, refuse } from '../lifecycle.js';
import { decideReview, refuseDecision } from '../step/review.js';
import { beginCancellation, failCancellation, finishCancellation, steps } from './cancellation.js';
import { askAgain, askNow, deferCreation, doubtCreation, reviewCreation, takeCreated } from './creation.js';
import { soon } from './deadlines.js';
import { takeFacts, takeLateFacts } from './observation.js';
import type { TransitionResult, PayoutEvent, PayoutEventType, PayoutState, PayoutStatus } from './payout.js';
import { abandonStep } from './review.js';
import { checkNow, confirmAgain, end, moved, observe, owingConfirmation, readAgain } from './rules.js';

type EventOf<T extends PayoutEventType> = Extract<PayoutEvent, { type: T }>;
type Rule<T extends PayoutEventType> = (
  state: PayoutState,
  event: EventOf<T>,
  now: Instant,
) => TransitionResult;
type Row = { readonly [T in PayoutEventType]?: Rule<T> };

const creationRow: Row = {
  payoutCreated: takeCreated,
  stepDeclined: (state, { reason }, now) => end(state, 'declined', now, reason),
  stepDeferred: deferCreation,
  outcomeUnknown: doubtCreation,
  stepCameDue: askAgain,
  reviewCameDue: reviewCreation,
  providerNotified: askNow,
};

/** The rules of an item's cancellation, during which the batch is still read. */
const cancellationRow: Row = {
  itemCancelled: finishCancellation,
  stepDeclined: failCancellation,
  ...steps.whileOpen,
};

/** A created batch is read after events and by polls. */
const readRow: Row = {
  pollCameDue: (state, _event, now) => observe(state, now),
  payoutObserved: (state, { facts }, now) => takeFacts(state, facts, now),
  observationFailed: (state, _event, now) => readAgain(state, now),
};

/** Later returns by receivers come as events, which start a run that only reads. */
const terminalRow: Row = {
  providerNotified: (state, event, now) =>
    observe({ ...owingConfirmation(state, event, now), readAt: now }, now),
  pollCameDue: (state, _event, now) => observe(state, now),
  payoutObserved: (state, { facts }) => takeLateFacts(state, facts),
  observationFailed: (state, _event, now) => confirmAgain(state, now),
};

const resumed = steps.resumeReviewed(transition);

/** The lifecycle of a payout: the events of each state. docs/lifecycles shows it as a diagram. */
const table: Readonly<Record<PayoutStatus, Row>> = {
  creating: creationRow,
  processing: {
    ...readRow,
    providerNotified: (state, event, now) =>
      event.isCheck ? checkNow(state, now) : observe(owingConfirmation(state, event, now), now),
  },
  settling: {
    ...readRow,
    ...cancellationRow,
    itemCancelRequested: beginCancellation,
    providerNotified: readSoon,
  },
  needs_review: {
    ...readRow,
    payoutCreated: resumed,
    itemCancelled: resumed,
    stepDeclined: resumed,
    stepDeferred: byStep(deferCreation, resumed),
    outcomeUnknown: byStep(doubtCreation, steps.doubt),
    lookInconclusive: byStep(undefined, steps.lookAgain),
    stepProvedUndone: byStep(undefined, resumed),
    stepCameDue: byStep(askAgain, steps.take),
    reviewDecided: decideReview,
    decisionRefused: refuseDecision,
    stepDecidedUndone: abandonStep,
    providerNotified: readSoon,
  },
  completed: terminalRow,
  denied: terminalRow,
  cancelled: terminalRow,
  // The provider never accepted it: there is nothing to read.
  declined: {},
};

/** Requests are refused if the table does not list them; any other event is stale then. */
const requests: ReadonlySet<PayoutEventType> = new Set(['itemCancelRequested', 'reviewDecided']);

/**
 * The whole lifecycle as one pure function, which workflow, activities and API share.
 *
 * @param now wall-clock milliseconds; in a run, the workflow's clock, so that a replay computes the same.
 */
export function transition(state: PayoutState, event: PayoutEvent, now: Instant): TransitionResult {
  const rule = table[state.status][event.type] as Rule<typeof event.type> | undefined;
  if (rule) return rule(state, event, now);
  if (!requests.has(event.type)) return { kind: 'stale', state };
  const cannot =
    event.type === 'reviewDecided' ? 'is not under review' : 'has no item that could be cancelled';
  return refuse(state, 'not_allowed_in_state', `A payout that is ${state.status} ${cannot}.`);
}

/** Many items send events at once: the first event sets the time of the read and the others share it. */
function readSoon(state: PayoutState, event: EventOf<'providerNotified'>, now: Instant): TransitionResult {
  if (state.providerBatchId === undefined) return askNow(state, event, now);
  if (event.isCheck) return state.openStep ? steps.take(state, event, now) : checkNow(state, now);
  const next = owingConfirmation(state, event, now);
  if (state.readAt === undefined) return moved({ ...next, readAt: soon(state, now) });
  return next === state ? { kind: 'stale', state } : moved(next);
}

/** The creation of a batch and the cancellation of an item have different rules, also under review. */
function byStep<Event>(
  creation: ((state: PayoutState, event: Event, now: Instant) => TransitionResult) | undefined,
  cancellation: (state: PayoutState, event: Event, now: Instant) => TransitionResult,
): (state: PayoutState, event: Event, now: Instant) => TransitionResult {
  return (state, event, now) => {
    if (!state.openStep) return { kind: 'stale', state };
    const rule = state.openStep.step.type === 'createPayout' ? creation : cancellation;
    return rule ? rule(state, event, now) : { kind: 'stale', state };
  };
}
