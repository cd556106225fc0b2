import type { Instant } from '../lifecycle.js';
import { pollWait } from '../widening-wait.js';
import {
  type TransitionResult,
  type PayoutEffect,
  type PayoutEvent,
  type PayoutState,
  type PayoutStatus,
  isTerminal,
} from './payout.js';

/**
 * A reason explains one status, so it is removed when the status changes. At an end the read due for events is removed,
 * too, because the end already shows what they reported. Changes after an item's end have their own read.
 */
export function enter(state: PayoutState, status: PayoutStatus, now: Instant): PayoutState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  const next = { ...rest, status, polls: 0, lastPollAt: now };
  if (!isTerminal(status)) return next;
  const { readAt: _shown, ...ended } = next;
  return ended;
}

export function withoutStep(state: PayoutState): PayoutState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

export function end(
  state: PayoutState,
  status: PayoutStatus,
  now: Instant,
  reason: string,
): TransitionResult {
  return moved({ ...enter(withoutStep(state), status, now), reason });
}

/**
 * A webhook is a hint; what the provider shows decides. The read for events shows every item, because paid money may
 * have been returned. A poll reads only open items.
 */
export function observe(state: PayoutState, now: Instant): Moved {
  const { readAt, isConfirming: _past, ...rest } = state;
  const polled = { ...rest, polls: state.polls + 1, lastPollAt: now };
  if (isConfirmationDue(state, now)) {
    // Starts at the first page: an earlier page does not show later changes.
    const { confirmAt: _due, nextPage: _page, ...due } = polled;
    return moved({ ...due, isConfirming: true }, { type: 'observe', items: 'all' });
  }
  const items = readAt === undefined ? 'open' : 'all';
  return moved(polled, { type: 'observe', items });
}

/** Reads at once for a check, without changing the next poll. */
export function checkNow(state: PayoutState, now: Instant): TransitionResult {
  const { polls, lastPollAt } = state;
  const { state: read, effect } = observe(state, now);
  return moved({ ...read, polls, lastPollAt }, effect);
}

/**
 * A change after an item's end is confirmed by a read that no longer lags. The read waits as long again, so that
 * following events share it.
 */
export function owingConfirmation(
  state: PayoutState,
  { isOfEndedItem }: Extract<PayoutEvent, { type: 'providerNotified' }>,
  now: Instant,
): PayoutState {
  const { outcomeHorizonMs } = state.order.patience;
  if (!isOfEndedItem || (state.confirmAt ?? 0) >= now + outcomeHorizonMs) return state;
  return { ...state, confirmAt: now + 2 * outcomeHorizonMs };
}

/** The read has failed: a read of all items is repeated. */
export function readAgain(state: PayoutState, now: Instant): TransitionResult {
  const { isConfirming, ...rest } = state;
  const at = now + state.order.patience.firstPollMs;
  return moved({ ...rest, readAt: at, ...(isConfirming && { confirmAt: at }) });
}

/** After the end nothing else reads the payout, so the read is repeated from the first page until it succeeds. */
export function confirmAgain(state: PayoutState, now: Instant): TransitionResult {
  const { isConfirming: _failed, nextPage: _page, ...rest } = state;
  const { order, polls, confirmAt = now + pollWait(order.patience, polls) } = state;
  return moved({ ...rest, confirmAt });
}

/** False while the provider processes the batch: afterwards all items are read anyway. */
function isConfirmationDue({ status, confirmAt }: PayoutState, now: Instant): boolean {
  return status !== 'processing' && confirmAt !== undefined && now >= confirmAt;
}

type Moved = Extract<TransitionResult, { readonly kind: 'moved' }>;

export function moved(state: PayoutState, effect?: PayoutEffect): Moved {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}
