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
 * The reason for standing where it stood goes with the status that it explained. So does, at an end, the read that events
 * have asked for: what they told, the end shows. Whatever comes after the end of an item has a read of its own.
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
 * A webhook is a hint; what the provider shows decides. The read that events have asked for shows every item: what was
 * paid may have been given back. A poll minds what is still open.
 */
export function observe(state: PayoutState, now: Instant): Moved {
  const { readAt, isConfirming: _past, ...rest } = state;
  const polled = { ...rest, polls: state.polls + 1, lastPollAt: now };
  if (isConfirmationDue(state, now)) {
    // From the first page on: one that was read before tells nothing of what came since.
    const { confirmAt: _due, nextPage: _page, ...due } = polled;
    return moved({ ...due, isConfirming: true }, { type: 'observe', items: 'all' });
  }
  const items = readAt === undefined ? 'open' : 'all';
  return moved(polled, { type: 'observe', items });
}

/** The same at once, upon a check; the next poll comes when it would have come. */
export function checkNow(state: PayoutState, now: Instant): TransitionResult {
  const { polls, lastPollAt } = state;
  const { state: read, effect } = observe(state, now);
  return moved({ ...read, polls, lastPollAt }, effect);
}

/**
 * What an event tells of an item that had come to its end is confirmed by a read that no longer lags; within as much
 * time again, so that the events which follow share it.
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

/** What called for the read has not been told yet: it is made up for, of all items. */
export function readAgain(state: PayoutState, now: Instant): TransitionResult {
  const { isConfirming, ...rest } = state;
  const at = now + state.order.patience.firstPollMs;
  return moved({ ...rest, readAt: at, ...(isConfirming && { confirmAt: at }) });
}

/** After the end nothing else would ever read it: so it is read until it could be, from the first page on. */
export function confirmAgain(state: PayoutState, now: Instant): TransitionResult {
  const { isConfirming: _failed, nextPage: _page, ...rest } = state;
  const { order, polls, confirmAt = now + pollWait(order.patience, polls) } = state;
  return moved({ ...rest, confirmAt });
}

/** While the batch is processed no item is read; all of them are after that. */
function isConfirmationDue({ status, confirmAt }: PayoutState, now: Instant): boolean {
  return status !== 'processing' && confirmAt !== undefined && now >= confirmAt;
}

type Moved = Extract<TransitionResult, { readonly kind: 'moved' }>;

export function moved(state: PayoutState, effect?: PayoutEffect): Moved {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}
