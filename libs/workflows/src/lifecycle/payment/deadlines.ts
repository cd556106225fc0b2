import { type Deadline as DeadlineOf, earliest } from '../lifecycle.js';
import type { Instant } from '../lifecycle.js';
import { stepDeadlines } from '../step/open-step.js';
import { holdsBesidePending } from './beside-pending.js';
import { isPolicyPutOff } from './policy-commands.js';
import { pollWait } from '../widening-wait.js';
import { type Authorization, type HonourStage, usualHonourPolicy } from './hold.js';
import { type PaymentState, type Warning, isTerminal } from './payment.js';
import type { PaymentEvent } from './event.js';

/** The deadlines of a hold, derived from the provider's instants. */
export interface HoldDeadlines {
  readonly honourWarningAt: Instant;
  /**
   * When the honour policy captures, if it does: half a day before the end, so that a failed capture can be repeated.
   */
  readonly honourCaptureAt: Instant;
  /** The funds are guaranteed until then (specification 8: 3 days). */
  readonly honourUntil: Instant;
  readonly windowWarningAt: Instant;
  /** When the expiry policy acts: a day before the window's end, so that a failed call can be repeated. */
  readonly expiryPolicyAt: Instant;
  /** A capture can be tried until then (specification 8: 29 days). */
  readonly captureUntil: Instant;
}

/** The window is 29 of the provider's days (specification 8); a sandbox day can be shorter. */
export const windowDays = 29;
/** The expiry policy acts a day before the window's end. */
export const expiryPolicyDay = 28;

type Window = Pick<Authorization, 'createdAt' | 'validUntil' | 'renewal'>;

/** The length of the provider's day in milliseconds; a sandbox can run its time faster. */
export function dayLengthOf({ createdAt, validUntil, renewal }: Window): number {
  return renewal?.dayLengthMs ?? (validUntil - createdAt) / windowDays;
}

export function holdDeadlines(window: Window): HoldDeadlines {
  const { createdAt, validUntil, renewal } = window;
  const dayLength = dayLengthOf(window);
  // A reauthorization guarantees the funds again but does not extend the window.
  const openedAt = renewal ? validUntil - windowDays * dayLength : createdAt;
  const heldAt = renewal?.heldAt ?? createdAt;
  const dayOf = (start: Instant, n: number) => Math.round(start + n * dayLength);
  return {
    honourWarningAt: dayOf(heldAt, 2),
    honourCaptureAt: dayOf(heldAt, 2.5),
    honourUntil: Math.min(dayOf(heldAt, 3), validUntil),
    windowWarningAt: dayOf(openedAt, 26),
    expiryPolicyAt: dayOf(openedAt, expiryPolicyDay),
    captureUntil: validUntil,
  };
}

/** Of the hold that a payment has; undefined without one, or once it has ended, perhaps before a pending capture. */
export function currentDeadlines({
  status,
  authorization,
  holdEnd,
}: PaymentState): HoldDeadlines | undefined {
  if (!authorization || isTerminal(status) || holdEnd !== undefined) return undefined;
  // It had ended when it was first read, without its dates; older orders do not remember its end.
  return authorization.createdAt === 0 ? undefined : holdDeadlines(authorization);
}

export type Deadline = DeadlineOf<PaymentEvent>;

/** The payment's next deadline; undefined if nothing will ever be due. */
export function nextDeadline(state: PaymentState): Deadline | undefined {
  // Of equal deadlines the first one counts: a step with an unknown outcome comes before a policy.
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
  const isHeld = state.status === 'authorized' || state.status === 'partially_captured';
  const isWaiting = isPolicyPutOff(state);
  if (!isHeld && !isWaiting && !holdsBesidePending(state)) return [];
  const hold = holdDeadlines(state.authorization);
  const due: Deadline[] = [{ at: hold.captureUntil, event: { type: 'authorizationLapsed' } }];
  due.push(...honourDeadlines(state, hold));
  if (state.warning !== 'capture_window_ending') {
    due.push({ at: hold.windowWarningAt, event: { type: 'captureWindowNearedEnd' } });
  }
  const captureAt = orderedCaptureAt(state);
  if (captureAt !== undefined) due.push({ at: captureAt, event: { type: 'captureCameDue' } });
  if (willExpiryPolicyAct(state)) due.push({ at: hold.expiryPolicyAt, event: { type: 'settlementCameDue' } });
  return isWaiting ? due.filter(({ event }) => dueWhilePutOff.has(event.type)) : due;
}

/** A capture that is put off is repeated until the window ends: no other one begins, and nothing is reauthorized. */
const dueWhilePutOff: ReadonlySet<PaymentEvent['type']> = new Set([
  'honourPeriodNearedEnd',
  'honourPeriodEnded',
  'captureWindowNearedEnd',
  'settlementCameDue',
]);

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
  // Nothing is reauthorized beside a pending capture.
  const at = state.status === 'capturing' ? undefined : reauthorizationAt(state);
  if (at !== undefined) due.push({ at, event: { type: 'reauthorizationCameDue' } });
  return due;
}

/** When the capture policy captures; undefined if it has no instant, or has already tried. */
function orderedCaptureAt({ order, orderedCaptureTried }: PaymentState): Instant | undefined {
  return order.capturePolicy.mode === 'at' && !orderedCaptureTried ? order.capturePolicy.at : undefined;
}

/** When a policy captures this hold next; undefined if none does, or no longer. */
export function policyCaptureAt(
  state: PaymentState,
  { honourCaptureAt }: HoldDeadlines,
): Instant | undefined {
  const instants = [orderedCaptureAt(state), isCapturedByHonourPolicy(state) ? honourCaptureAt : undefined];
  const due = instants.filter((at) => at !== undefined);
  return due.length > 0 ? Math.min(...due) : undefined;
}

/** True if the expiry policy will still capture or void the rest of this hold. */
export function willExpiryPolicyAct({ order, settlementTried }: PaymentState): boolean {
  return order.expiryPolicy.action !== 'expire' && !settlementTried;
}

/** True if the honour policy will still capture this hold. */
function isCapturedByHonourPolicy({ order, honourCaptureTried }: PaymentState): boolean {
  return order.honourPolicy?.action === 'capture' && honourCaptureTried !== true;
}

const stageByWarning: Readonly<Record<Warning, HonourStage>> = {
  honour_period_ending: 'ending',
  honour_period_ended: 'ended',
  capture_window_ending: 'ended',
};

function honourStageOf({ honourStage, warning }: PaymentState): HonourStage {
  return honourStage ?? (warning === undefined ? 'running' : stageByWarning[warning]);
}

/** When the policy reauthorizes the funds; undefined if it does not, or no longer. */
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
  // After that instant the expiry policy acts and the hold ends.
  return at < expiryPolicyAt ? at : undefined;
}

/** Polls replace lost webhooks. Each waits twice as long as the one before, up to a maximum. */
function pollDeadlines(state: PaymentState): Deadline[] {
  const { order, polls, lastPollAt } = state;
  if (isPolled(state)) {
    return [{ at: lastPollAt + pollWait(order.patience, polls), event: { type: 'pollCameDue' } }];
  }
  return confirmation(state);
}

/** Reads lag: a confirming read is due when it certainly shows what a webhook has reported. */
function confirmation({ status, confirmAt, lastPollAt }: PaymentState): Deadline[] {
  const isHeld = status === 'authorized' || status === 'partially_captured';
  if (!isHeld || confirmAt === undefined || lastPollAt >= confirmAt) return [];
  return [{ at: confirmAt, event: { type: 'pollCameDue' } }];
}

/** An open step has its own lookups and repeats, and its states take no polls. */
function isPolled({ status, openStep, lapsed, readOwed }: PaymentState): boolean {
  if (openStep || isTerminal(status)) return false;
  const waitsForProvider =
    status === 'awaiting_approval' ||
    status === 'pending' ||
    status === 'capturing' ||
    status === 'needs_review';
  return waitsForProvider || lapsed || readOwed;
}
