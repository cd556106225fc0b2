import type { Instant } from '../lifecycle.js';
import { isPutOff } from '../step/open-step.js';
import { decideReview, refuseDecision } from '../step/review.js';
import { beginBilling, beginSetting, takeBalance } from './balance.js';
import { closing, owingBook } from './book.js';
import { observeEnded } from './late-observation.js';
import { observeAgreement, startLife } from './observation.js';
import {
  beginChange,
  beginExecution,
  failChange,
  isTooLate,
  steps,
  unlessCancelled,
  unlessTooLate,
} from './open-step.js';
import { abandonStep } from './review.js';
import { approvalLate, end, endedByPayer, enter, moved, observe, startPassed, withoutStep } from './rules.js';
import { takeUnlisted } from './unlisted.js';
import type {
  ChangeableStatus,
  SubscriptionTransitionResult,
  SubscriptionEvent,
  SubscriptionEventType,
  SubscriptionState,
  SubscriptionStatus,
} from './subscription.js';

type EventOf<T extends SubscriptionEventType> = Extract<SubscriptionEvent, { type: T }>;
type Rule<T extends SubscriptionEventType> = (
  state: SubscriptionState,
  event: EventOf<T>,
  now: Instant,
) => SubscriptionTransitionResult;
type Row = { readonly [T in SubscriptionEventType]?: Rule<T> };

/** The rules of an open step, the same in every state that has one. */
const openStepRow: Row = {
  ...steps.whileOpen,
  providerNotified: takeHint,
};

/** The rules of an existing agreement without a call under way. */
const existingRow: Row = {
  providerNotified: (state, { isAboutPayment, isCheck }, now) =>
    isCheck
      ? moved({ ...state, readOwed: false }, { type: 'observe' })
      : observe(isAboutPayment ? owingBook(state, now) : state, now),
  pollCameDue: (state, _event, now) => observe(state, now),
  agreementObserved: observeAgreement,
  observationFailed: (state) => moved({ ...state, readOwed: true }),
};

/** The rules after the end of an executed agreement: reads continue, the status stays. */
const endedRow: Row = {
  providerNotified: (state, _event, now) =>
    state.agreementId === undefined ? { kind: 'stale', state } : observe(owingBook(state, now), now),
  pollCameDue: (state, _event, now) => observe(state, now),
  agreementObserved: observeEnded,
  observationFailed: (state) => moved({ ...state, readOwed: true }),
};

const changeRow: Row = { ...openStepRow, stepDeclined: failChange };

const endedByRequest = 'It was cancelled before its payer had approved.';
const endedUnsent = 'It was cancelled before it was executed.';

const resumed = steps.resumeReviewed(transition);

/** The lifecycle of a subscription: the events of each state. docs/lifecycles shows it as a diagram. */
const table: Readonly<Record<SubscriptionStatus, Row>> = {
  creating: {
    ...openStepRow,
    agreementCreated: awaitApproval,
    // The lost agreement can never be billed: another one is created.
    creationLost: steps.repeat,
    stepDeclined: (state, { reason }, now) => end(state, 'declined', now, reason),
  },
  awaiting_approval: {
    // Whoever returns has approved since a cancellation that an execution has left behind.
    payerApproved: (state, _event, now) => beginExecution(withoutCancel(state), now),
    payerCancelled: (state, _event, now) => end(state, 'cancelled', now, endedByPayer),
    cancelRequested: (state, _event, now) => end(state, 'cancelled', now, endedByRequest),
    // An unexecuted agreement cannot be read: only an execution shows whether the payer has approved.
    pollCameDue: (state, _event, now) =>
      beginExecution({ ...state, approvalPolls: state.approvalPolls + 1 }, now),
    approvalTimedOut: (state, _event, now) => beginExecution({ ...state, lapsed: true }, now),
  },
  executing: {
    ...openStepRow,
    stepDeferred: unlessCancelled<EventOf<'stepDeferred'>>(steps.defer),
    stepProvedUndone: unlessCancelled<EventOf<'stepProvedUndone'>>(unlessTooLate(steps.repeat)),
    stepCameDue: unlessTooLate(steps.take),
    agreementExecuted: (state, { facts }, now) => startLife(state, facts, now),
    approvalFoundMissing: askPayerAgain,
    payerApproved: (state) => moved({ ...withoutCancel(state), isReturnWaiting: true }),
    // A return before it is kept: without a row the cancellation is not one.
    payerCancelled: (state) => moved({ ...state, isCancelWaiting: true }),
    cancelRequested: (state, event, now) =>
      state.order.endsUnsent && isPutOff(state.openStep)
        ? end(state, 'cancelled', now, endedUnsent)
        : takeUnlisted(state, event),
    stepDeclined: (state, { reason }, now) => end(state, 'declined', now, reason),
  },
  pending: existingRow,
  active: {
    ...existingRow,
    renewalCameDue: (state, _event, now) => observe(state, now),
    suspendRequested: (state, event, now) => beginChange(state, 'suspendAgreement', event, 'active', now),
    cancelRequested: (state, event, now) => beginChange(state, 'cancelAgreement', event, 'active', now),
    billBalanceRequested: (state, event, now) => beginBilling(state, event, 'active', now),
    setBalanceRequested: (state, event, now) => beginSetting(state, event, 'active', now),
  },
  suspended: {
    ...existingRow,
    reactivateRequested: (state, event, now) =>
      beginChange(state, 'reactivateAgreement', event, 'suspended', now),
    cancelRequested: (state, event, now) => beginChange(state, 'cancelAgreement', event, 'suspended', now),
    billBalanceRequested: (state, event, now) => beginBilling(state, event, 'suspended', now),
    setBalanceRequested: (state, event, now) => beginSetting(state, event, 'suspended', now),
  },
  suspending: {
    ...changeRow,
    agreementSuspended: (state, _event, now) => changed(state, 'suspended', now),
  },
  reactivating: {
    ...changeRow,
    // Only a read shows the next billing date.
    agreementReactivated: (state, _event, now) => observe(changed(state, 'active', now).state, now),
  },
  cancelling: {
    ...changeRow,
    agreementCancelled: (state, _event, now) => moved(closing(changed(state, 'cancelled', now).state, now)),
  },
  billing_balance: { ...changeRow, balanceBilled: takeBalance },
  setting_balance: { ...changeRow, balanceSet: takeBalance },
  needs_review: {
    ...openStepRow,
    agreementCreated: resumed,
    creationLost: resumed,
    agreementExecuted: resumed,
    approvalFoundMissing: resumed,
    payerApproved: (state, event, now) =>
      keepsWord(state)
        ? moved({ ...withoutCancel(state), isReturnWaiting: true })
        : resumed(state, event, now),
    payerCancelled: (state, event) =>
      keepsWord(state) ? moved({ ...state, isCancelWaiting: true }) : takeUnlisted(state, event),
    agreementSuspended: resumed,
    agreementReactivated: resumed,
    agreementCancelled: resumed,
    balanceBilled: resumed,
    balanceSet: resumed,
    stepDeclined: resumed,
    stepDeferred: resumed,
    stepProvedUndone: resumed,
    reviewDecided: decideReview,
    decisionRefused: refuseDecision,
    stepDecidedUndone: abandonStep,
  },
  cancelled: endedRow,
  expired: endedRow,
  declined: {},
  lapsed: {},
};

/**
 * The whole lifecycle as one pure function, which workflow, activities and API share.
 *
 * @param now wall-clock milliseconds; in a run, the workflow's clock, so that a replay computes the same.
 */
export function transition(
  state: SubscriptionState,
  event: SubscriptionEvent,
  now: Instant,
): SubscriptionTransitionResult {
  const rule = table[state.status][event.type] as Rule<typeof event.type> | undefined;
  if (rule) return rule(state, event, now);
  return takeUnlisted(state, event);
}

const commands = ['suspend', 'reactivate', 'cancel', 'billBalance', 'setBalance'] as const;
export type AllowedAction = (typeof commands)[number];

/** The commands that are allowed now. They are derived from the transition table, so that both always agree. */
export function allowedActions(state: SubscriptionState, now: Instant): AllowedAction[] {
  return commands.filter(
    (action) =>
      transition(state, { type: `${action}Requested`, commandId: '', note: '', minor: 0 }, now).kind ===
      'moved',
  );
}

function awaitApproval(
  state: SubscriptionState,
  { token, approvalUrl }: EventOf<'agreementCreated'>,
  now: Instant,
): SubscriptionTransitionResult {
  return moved(enter({ ...withoutStep(state), token, approvalUrl }, 'awaiting_approval', now));
}

/** The provider requires the payer's approval first; the time for it may be over by now. */
function askPayerAgain(
  known: SubscriptionState,
  { isOver, isCancelUnfounded }: EventOf<'approvalFoundMissing'>,
  now: Instant,
): SubscriptionTransitionResult {
  const state = isCancelUnfounded ? withoutCancel(known) : known;
  if (state.isCancelWaiting) return end(state, 'cancelled', now, endedByPayer);
  if (isOver) return end(state, 'lapsed', now, approvalLate);
  if (state.order.provesLapse && isTooLate(state.order, now)) return end(state, 'lapsed', now, startPassed);
  if (state.isReturnWaiting) return beginExecution(withoutStep(state), now);
  if (state.lapsed) return end(state, 'lapsed', now, approvalLate);
  return moved(enter(withoutStep(state), 'awaiting_approval', now));
}

/** A hint causes a lookup of an unknown outcome. A hint about a payment is remembered until the step is done. */
function takeHint(
  state: SubscriptionState,
  event: EventOf<'providerNotified'>,
  now: Instant,
): SubscriptionTransitionResult {
  if (!event.isAboutPayment) return steps.take(state, event, now);
  const owing = owingBook(state, now);
  const taken = steps.take(owing, event, now);
  return taken.kind === 'stale' ? moved(owing) : taken;
}

/** Under review is whether it was executed: what its payer says is kept, and the review goes on. Not in older orders. */
function keepsWord({ order, openStep }: SubscriptionState): boolean {
  return order.endsUnsent === true && openStep?.step.type === 'executeAgreement';
}

function withoutCancel({ isCancelWaiting: _revoked, ...state }: SubscriptionState): SubscriptionState {
  return state;
}

/** Our own change succeeded: while reads may lag, a read that shows another state is from before. */
function changed(
  state: SubscriptionState,
  status: ChangeableStatus | 'cancelled',
  now: Instant,
): Extract<SubscriptionTransitionResult, { kind: 'moved' }> {
  const readsSettleAt = now + state.order.patience.outcomeHorizonMs;
  return { kind: 'moved', state: { ...enter(withoutStep(state), status, now), readsSettleAt } };
}
