import type { Instant } from '../lifecycle.js';
import type { Decision, PayoutEffect, PayoutState, PayoutStatus, RefusalCode } from './payout.js';

/** The reason for standing where it stood goes with the status that it explained. */
export function enter(state: PayoutState, status: PayoutStatus, now: Instant): PayoutState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  return { ...rest, status, polls: 0, lastPollAt: now };
}

export function withoutStep(state: PayoutState): PayoutState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

export function end(state: PayoutState, status: PayoutStatus, now: Instant, reason: string): Decision {
  return moved({ ...enter(withoutStep(state), status, now), reason });
}

/**
 * A webhook is a hint; what the provider shows decides. The read that events have asked for shows every item: what was
 * paid may have been given back. A poll minds what is still open.
 */
export function observe(state: PayoutState, now: Instant): Decision {
  const { readAt, ...rest } = state;
  const items = readAt === undefined ? 'open' : 'all';
  return moved({ ...rest, polls: state.polls + 1, lastPollAt: now }, { type: 'observe', items });
}

export function moved(state: PayoutState, effect?: PayoutEffect): Decision {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}

export function refuse(state: PayoutState, code: RefusalCode, reason: string): Decision {
  return { kind: 'refused', state, refusal: { code, reason } };
}
