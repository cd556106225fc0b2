import { type Deadline as DeadlineOf, earliest } from '../lifecycle.js';
import type { Instant } from '../lifecycle.js';
import { stepDeadlines } from '../step/open-step.js';
import { pollWait } from '../widening-wait.js';
import { type Authorization, type HonourStage, usualHonourPolicy } from './hold.js';
import { type PaymentState, type Warning, isTerminal } from './payment.js';
import type { PaymentEvent } from './event.js';

/** The instants that a hold lives by, all derived from what the provider stated. */
export interface HoldDeadlines {
  readonly honourWarningAt: Instant;
  /** When the honour policy captures, where it does: half a day before the end, so that a failed try can be repeated. */
  readonly honourCaptureAt: Instant;
  /** Until here the funds are guaranteed (specification 8: 3 days). */
  readonly honourUntil: Instant;
  readonly windowWarningAt: Instant;
  /** When the expiry policy acts: a day before the window's end, so that a failed try can be repeated. */
  readonly expiryPolicyAt: Instant;
  /** Until here a capture can be tried (specification 8: 29 days). */
  readonly captureUntil: Instant;
}

/** The window is 29 of the provider's days (specification 8), however long one is there. */
export const windowDays = 29;

type Window = Pick<Authorization, 'createdAt' | 'validUntil' | 'renewal'>;

/** How long the provider's day is, in milliseconds: one of ours, or seconds where it plays time fast. */
export function dayLengthOf({ createdAt, validUntil, renewal }: Window): number {
  return renewal?.dayLengthMs ?? (validUntil - createdAt) / windowDays;
}

export function holdDeadlines(window: Window): HoldDeadlines {
  const { createdAt, validUntil, renewal } = window;
  const dayLength = dayLengthOf(window);
  // Reauthorized, the funds are guaranteed again; the window counts on from where it was opened.
  const openedAt = renewal ? validUntil - windowDays * dayLength : createdAt;
  const heldAt = renewal?.heldAt ?? createdAt;
  const dayOf = (start: Instant, n: number) => Math.round(start + n * dayLength);
  return {
    honourWarningAt: dayOf(heldAt, 2),
    honourCaptureAt: dayOf(heldAt, 2.5),
    honourUntil: Math.min(dayOf(heldAt, 3), validUntil),
    windowWarningAt: dayOf(openedAt, 26),
    expiryPolicyAt: dayOf(openedAt, 28),
    captureUntil: validUntil,
  };
}

export type Deadline = DeadlineOf<PaymentEvent>;

/** The next instant at which the clock itself moves this payment; undefined when nothing is due, ever. */
export function nextDeadline(state: PaymentState): Deadline | undefined {
  // Of equal ones the first: a step in doubt comes before a policy that would act on it.
  return earliest([
    ...stepDeadlines(state.openStep),
    ...approvalDeadlines(state),
    ...holdDeadlineEvents(state),
    ...pollDeadlines(state),
  ]);
}

function approvalDeadlines(state: PaymentState): Deadline[] {
  if (state.status !== 'awaiting_approval' || state.lapsed) return [];
  return [{ at: state.order.approvalBy, event: { type: 'approvalTimedOut' } }];
}

function holdDeadlineEvents(state: PaymentState): Deadline[] {
  if (!state.authorization || state.lapsed) return [];
  if (state.status !== 'authorized' && state.status !== 'partially_captured') return [];
  const hold = holdDeadlines(state.authorization);
  const due: Deadline[] = [{ at: hold.captureUntil, event: { type: 'authorizationLapsed' } }];
  due.push(...honourDeadlines(state, hold));
  if (state.warning !== 'capture_window_ending') {
    due.push({ at: hold.windowWarningAt, event: { type: 'captureWindowNearedEnd' } });
  }
  const captureAt = orderedCaptureAt(state);
  if (captureAt !== undefined) due.push({ at: captureAt, event: { type: 'captureCameDue' } });
  if (willExpiryPolicyAct(state)) due.push({ at: hold.expiryPolicyAt, event: { type: 'settlementCameDue' } });
  return due;
}

function honourDeadlines(state: PaymentState, hold: HoldDeadlines): Deadline[] {
  const { action } = state.order.honourPolicy ?? usualHonourPolicy;
  const due: Deadline[] = [];
  const stage = honourStageOf(state);
  if (action !== 'none' && stage === 'running') {
    due.push({ at: hold.honourWarningAt, event: { type: 'honourPeriodNearedEnd' } });
  }
  if (isCapturedByHonourPolicy(state)) {
    due.push({ at: hold.honourCaptureAt, event: { type: 'honourCaptureCameDue' } });
  }
  if (action !== 'none' && stage === 'ending') {
    due.push({ at: hold.honourUntil, event: { type: 'honourPeriodEnded' } });
  }
  const at = reauthorizationAt(state);
  if (at !== undefined) due.push({ at, event: { type: 'reauthorizationCameDue' } });
  return due;
}

/** When the capture policy captures; undefined where it names no instant, or has tried. */
function orderedCaptureAt({ order, orderedCaptureTried }: PaymentState): Instant | undefined {
  return order.capturePolicy.mode === 'at' && !orderedCaptureTried ? order.capturePolicy.at : undefined;
}

/** When a policy captures this hold next; undefined where none does, or not any more. */
export function policyCaptureAt(
  state: PaymentState,
  { honourCaptureAt }: HoldDeadlines,
): Instant | undefined {
  const instants = [orderedCaptureAt(state), isCapturedByHonourPolicy(state) ? honourCaptureAt : undefined];
  const due = instants.filter((at) => at !== undefined);
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** True while the expiry policy is still to capture or to void what is left of this hold. */
export function willExpiryPolicyAct({ order, settlementTried }: PaymentState): boolean {
  return order.expiryPolicy.action !== 'expire' && !settlementTried;
}

/** True while the honour policy's capture of this hold is still to come. */
function isCapturedByHonourPolicy({ order, honourCaptureTried }: PaymentState): boolean {
  return order.honourPolicy?.action === 'capture' && honourCaptureTried !== true;
}

const stageToldBy: Readonly<Record<Warning, HonourStage>> = {
  honour_period_ending: 'ending',
  honour_period_ended: 'ended',
  capture_window_ending: 'ended',
};

function honourStageOf({ honourStage, warning }: PaymentState): HonourStage {
  return honourStage ?? (warning === undefined ? 'running' : stageToldBy[warning]);
}

/** When the policy has the funds reauthorized; undefined where it does not, or not any more. */
export function reauthorizationAt({
  authorization,
  order,
  reauthorizations,
}: PaymentState): Instant | undefined {
  const { reauthorize } = order.honourPolicy ?? usualHonourPolicy;
  if (!authorization || reauthorize === 'none' || reauthorizations?.isOver) return undefined;
  if (reauthorize === 'once' && (reauthorizations?.earlier.length ?? 0) > 0) return undefined;
  const { honourUntil, expiryPolicyAt } = holdDeadlines(authorization);
  const at = Math.max(honourUntil, reauthorizations?.notBefore ?? honourUntil);
  // Later than that the expiry policy has acted: the hold is about to end.
  return at < expiryPolicyAt ? at : undefined;
}

/** Polls make up for lost webhooks: each waits twice as long as the one before, up to a stated longest. */
function pollDeadlines(state: PaymentState): Deadline[] {
  if (!isPolled(state)) return [];
  const { order, polls, lastPollAt } = state;
  return [{ at: lastPollAt + pollWait(order.patience, polls), event: { type: 'pollCameDue' } }];
}

/** An open step has looks and repeats of its own, and its states take no poll. */
function isPolled({ status, openStep, lapsed, readOwed }: PaymentState): boolean {
  if (openStep || isTerminal(status)) return false;
  const waitsForProvider =
    status === 'awaiting_approval' ||
    status === 'pending' ||
    status === 'capturing' ||
    status === 'needs_review';
  return waitsForProvider || lapsed || readOwed;
}
