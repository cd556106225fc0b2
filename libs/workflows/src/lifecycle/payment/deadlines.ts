import { type Deadline as DeadlineOf, earliest } from '../lifecycle.js';
import type { Instant } from '../lifecycle.js';
import { type Authorization, type PaymentEvent, type PaymentState, isTerminal } from './payment.js';

/** The instants that a hold lives by, all derived from what the provider stated. */
export interface HoldDeadlines {
  readonly honourWarningAt: Instant;
  /** Until here the funds are guaranteed (specification 8: 3 days). */
  readonly honourUntil: Instant;
  readonly windowWarningAt: Instant;
  /** When the expiry policy acts: a day before the window's end, so that a failed try can be repeated. */
  readonly settleAt: Instant;
  /** Until here a capture can be tried (specification 8: 29 days). */
  readonly captureUntil: Instant;
}

/** The window is 29 of the provider's days (specification 8), however long one is there. */
const windowDays = 29;

type Window = Pick<Authorization, 'createdAt' | 'validUntil'>;

/** How long the provider's day is, in milliseconds: one of ours, or seconds where it plays time fast. */
export function dayLengthOf({ createdAt, validUntil }: Window): number {
  return (validUntil - createdAt) / windowDays;
}

export function holdDeadlines(window: Window): HoldDeadlines {
  const { createdAt, validUntil } = window;
  const day = (n: number) => Math.round(createdAt + n * dayLengthOf(window));
  return {
    honourWarningAt: day(2),
    honourUntil: day(3),
    windowWarningAt: day(26),
    settleAt: day(28),
    captureUntil: validUntil,
  };
}

export type Deadline = DeadlineOf<PaymentEvent>;

/** The next instant at which the clock itself moves this payment; undefined when nothing is due, ever. */
export function nextDeadline(state: PaymentState): Deadline | undefined {
  // Of equal ones the first: a step in doubt comes before a policy that would act on it.
  return earliest([
    ...stepDeadlines(state),
    ...approvalDeadlines(state),
    ...holdDeadlineEvents(state),
    ...pollDeadlines(state),
  ]);
}

function stepDeadlines({ openStep }: PaymentState): Deadline[] {
  if (!openStep || openStep.phase === 'running') return [];
  return [{ at: openStep.nextAt, event: { type: 'stepCameDue' } }];
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
  if (state.warning === undefined)
    due.push({ at: hold.honourWarningAt, event: { type: 'honourPeriodNearedEnd' } });
  if (state.warning === 'honour_period_ending')
    due.push({ at: hold.honourUntil, event: { type: 'honourPeriodEnded' } });
  if (state.warning === 'honour_period_ended') {
    due.push({ at: hold.windowWarningAt, event: { type: 'captureWindowNearedEnd' } });
  }
  const { capturePolicy, expiryPolicy } = state.order;
  if (capturePolicy.mode === 'at' && !state.orderedCaptureTried) {
    due.push({ at: capturePolicy.at, event: { type: 'captureCameDue' } });
  }
  if (expiryPolicy.action !== 'expire' && !state.settlementTried) {
    due.push({ at: hold.settleAt, event: { type: 'settlementCameDue' } });
  }
  return due;
}

/** Polls make up for lost webhooks: each waits twice as long as the one before, up to a stated longest. */
function pollDeadlines(state: PaymentState): Deadline[] {
  if (!isPolled(state)) return [];
  const { firstPollMs, longestPollMs } = state.order.patience;
  const wait = Math.min(longestPollMs, firstPollMs * 2 ** Math.min(state.polls, 30));
  return [{ at: state.lastPollAt + wait, event: { type: 'pollCameDue' } }];
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
