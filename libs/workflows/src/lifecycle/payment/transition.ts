import { statusOfHold } from './amounts.js';
import { holdsBesidePending } from './beside-pending.js';
import { contradictionIn, observeApproval, observeHold, observeReviewed } from './observation.js';
import type { Instant } from '../lifecycle.js';
import { takeUnlisted } from './unlisted.js';
import type { PaymentState, PaymentStatus } from './payment.js';
import type { TransitionResult, PaymentEvent } from './event.js';
import { executionRow, payerDuringExecution, unlessCancelled, withoutCancel } from './execution.js';
import { observe, oweRead, takeHint } from './reads.js';
import {
  awaitApproval,
  beginCapture,
  beginRelease,
  beginExecution,
  beginVoid,
  cancelledByPayer,
  captureInHonourPeriod,
  end,
  finishCapture,
  finishVoid,
  hold,
  applyExpiryPolicy,
  moved,
  warn,
  warnOfHonour,
  withoutStep,
} from './rules.js';
import { isPolicyCommand, isPolicyPutOff, policyCommandId } from './policy-commands.js';
import { failStep, steps, takeNotification } from './open-step.js';
import {
  beginReauthorization,
  deferReauthorization,
  finishReauthorization,
  reauthorizeByPolicy,
  renewAmount,
} from './reauthorization.js';
import { type Row, type Rule, openStepRow } from './row.js';
import { observeSale, takeSale } from './sale.js';
import { refuseDecision } from '../step/review.js';
import { abandonStep, decideReview, takeFoundCapture } from './review.js';

/** An unexpected demand for approval also ends the step: a step that never ends would hide the hold. */
const strayApproval = 'The provider asked for an approval, which has no place here.';

/** A capture or void that the provider refused. */
const refusedStepRow: Row = {
  stepDeclined: failStep,
  approvalFoundMissing: (state, _event, now) => failStep(state, { reason: strayApproval }, now),
};

/** Also while a policy's capture is put off. */
const warningRow: Row = {
  honourPeriodNearedEnd: (state) => warnOfHonour(state, 'ending'),
  honourPeriodEnded: (state) => warnOfHonour(state, 'ended'),
  captureWindowNearedEnd: (state) => warn(state, 'capture_window_ending'),
};

/** What can be captured: all of a hold, or what a pending capture leaves of it. */
const restRow: Row = {
  captureRequested: (state, event, now) => beginCapture(state, event, now),
  voidRequested: (state, { commandId }, now) => beginVoid(state, commandId, now),
  captureCameDue: (state, _event, now) =>
    beginCapture(
      { ...state, orderedCaptureTried: true },
      { commandId: policyCommandId(state.order, 'capture') },
      now,
    ),
  ...warningRow,
  honourCaptureCameDue: captureInHonourPeriod,
  settlementCameDue: applyExpiryPolicy,
  authorizationLapsed: (state, _event, now) => observe({ ...state, lapsed: true }, now),
  pollCameDue: (state, _event, now) => observe(state, now),
  providerObserved: (state, { facts }, now) => observeHold(state, facts, now),
};

const releaseRow: Row = {
  releaseRequested: (state, { commandId }, now) => beginRelease(state, commandId, now),
};

/** A hold from which money can still be captured. */
const holdRow: Row = {
  ...restRow,
  reauthorizeRequested: beginReauthorization,
  reauthorizationCameDue: (state, _event, now) => reauthorizeByPolicy(state, now),
  providerNotified: takeHint,
  observationFailed: oweRead,
};

const capturingRow: Row = {
  ...openStepRow,
  ...refusedStepRow,
  captureAnswered: finishCapture,
  providerNotified: takeNotification,
  pollCameDue: (state, _event, now) => observe(state, now),
  providerObserved: (state, { facts }, now) => observeHold(state, facts, now),
};

/** A policy's capture is repeated as long as the hold lasts, unless a caller or the expiry policy stops it. */
const putOffRow: Row = {
  ...capturingRow,
  ...warningRow,
  voidRequested: takeBeforePutOff,
  releaseRequested: takeBeforePutOff,
  settlementCameDue: settleBeforePutOff,
};

/** It is not reauthorized: the new hold would not include the pending capture. */
const besidePendingRow: Row = { ...capturingRow, ...restRow, ...releaseRow };

const terminalRow: Row = {
  providerObserved: (state, { facts }) => contradictionIn(state, facts),
};

/** As if the policy's capture that is put off had not begun. */
function takeBeforePutOff(state: PaymentState, event: PaymentEvent, now: Instant): TransitionResult {
  const held = withoutStep(state);
  const taken = transition({ ...held, status: statusOfHold(held) }, event, now);
  return taken.kind === 'moved' ? taken : takeUnlisted(state, event);
}

/** The expiry policy has tried also if it comes too late: else it would be due again at once. */
function settleBeforePutOff(state: PaymentState, event: PaymentEvent, now: Instant): TransitionResult {
  const taken = takeBeforePutOff(state, event, now);
  return taken.kind === 'moved' ? taken : moved({ ...state, settlementTried: true });
}

const cancelledByRequest = 'It was cancelled before its payer had approved.';

const resumed = steps.resumeReviewed(transition);

/** The lifecycle of a payment, hold or sale: the events of each state. docs/lifecycles shows it as a diagram. */
const table: Readonly<Record<PaymentStatus, Row>> = {
  creating: {
    ...openStepRow,
    paymentCreated: awaitApproval,
    authorizationGranted: hold,
    saleAnswered: takeSale,
    approvalFoundMissing: (state, _event, now) => end(state, 'declined', now, strayApproval),
    stepDeclined: (state, { reason }, now) => end(state, 'declined', now, reason),
  },
  awaiting_approval: {
    payerApproved: (state, { payerId }, now) => beginExecution(withoutCancel(state), payerId, now),
    payerCancelled: (state, _event, now) => end(state, 'cancelled', now, cancelledByPayer),
    // Needs no call: an unexecuted payment moves no money, even if it is approved later.
    cancelRequested: (state, _event, now) => end(state, 'cancelled', now, cancelledByRequest),
    approvalTimedOut: (state, _event, now) => observe({ ...state, lapsed: true }, now),
    pollCameDue: (state, _event, now) => observe(state, now),
    providerNotified: takeHint,
    providerObserved: (state, { facts }, now) => observeApproval(state, facts, now),
  },
  authorizing: {
    ...executionRow,
    authorizationGranted: hold,
    // Answered, but neither executed nor refused: the payment is read until it shows more.
    paymentCreated: awaitApproval,
  },
  executing: {
    ...executionRow,
    saleAnswered: takeSale,
    // As above: answered, but neither executed nor refused.
    paymentCreated: awaitApproval,
  },
  // It may take days until the provider shows whether the money has arrived.
  pending: {
    pollCameDue: (state, _event, now) => observe(state, now),
    providerNotified: takeHint,
    providerObserved: (state, { facts }, now) => observeSale(state, facts, now),
  },
  authorized: holdRow,
  capturing: capturingRow,
  partially_captured: { ...holdRow, ...releaseRow },
  reauthorizing: {
    ...openStepRow,
    ...refusedStepRow,
    stepDeclined: (state, event, now) =>
      event.isOutdated ? renewAmount(state, event.reason, now) : failStep(state, event, now),
    authorizationRenewed: finishReauthorization,
    reauthorizationTooSoon: (state, { reason }, now) => deferReauthorization(state, reason, now),
  },
  voiding: {
    ...openStepRow,
    ...refusedStepRow,
    voidConfirmed: finishVoid,
  },
  needs_review: {
    ...openStepRow,
    ...payerDuringExecution,
    paymentCreated: resumed,
    authorizationGranted: resumed,
    saleAnswered: resumed,
    approvalFoundMissing: resumed,
    captureAnswered: (state, event, now) =>
      state.openStep ? resumed(state, event, now) : takeFoundCapture(state, event, now),
    voidConfirmed: resumed,
    authorizationRenewed: resumed,
    reauthorizationTooSoon: resumed,
    stepDeclined: resumed,
    stepDeferred: resumed,
    reviewDecided: decideReview,
    decisionRefused: refuseDecision,
    stepDecidedUndone: unlessCancelled(abandonStep),
    stepProvedUndone: resumed,
    providerNotified: takeNotification,
    pollCameDue: (state, _event, now) => observe(state, now),
    providerObserved: (state, { facts }, now) => observeReviewed(state, facts, now),
  },
  captured: terminalRow,
  voided: terminalRow,
  completed: terminalRow,
  declined: terminalRow,
  cancelled: terminalRow,
  expired: terminalRow,
};

/**
 * The whole lifecycle as one pure function, which workflow, activities and API share.
 *
 * @param now wall-clock milliseconds; in a run, the workflow's clock, so that a replay computes the same.
 */
export function transition(state: PaymentState, event: PaymentEvent, now: Instant): TransitionResult {
  if (hasPolicyName(state, event)) return { kind: 'conflict', state, reason: policyNameTaken };
  const rule = rowOf(state)[event.type] as Rule<typeof event.type> | undefined;
  if (rule) return rule(state, event, now);
  return takeUnlisted(state, event);
}

function rowOf(state: PaymentState): Row {
  if (isPolicyPutOff(state)) return putOffRow;
  return holdsBesidePending(state) ? besidePendingRow : table[state.status];
}

const policyNameTaken = 'A request has the name of a command of the order’s own policy: nothing was done.';

/** Policy commands come from the order: a message must not use their names. */
function hasPolicyName({ order }: PaymentState, event: PaymentEvent): boolean {
  return 'commandId' in event && isPolicyCommand(order, event.commandId);
}
