import type { Instant } from '../lifecycle.js';
import type {
  SubscriptionTransitionResult,
  SubscriptionEffect,
  SubscriptionState,
  SubscriptionStatus,
} from './subscription.js';

export const endedByPayer = 'The payer cancelled.';
export const approvalLate = 'The payer did not approve in time.';
export const startPassed = 'The payer had not approved when the first cycle was due.';

const cancelledEarly = 'The provider cancelled the agreement before it was active';
export const feeUnclear = `${cancelledEarly}; whether its setup fee was paid is being read.`;
export const feeUnpaid = `${cancelledEarly}: its setup fee was not paid.`;
export const feePaid = `${cancelledEarly}, though its setup fee was paid.`;

/** A reason explains one status, so it is removed when the status changes. */
export function enter(state: SubscriptionState, status: SubscriptionStatus, now: Instant): SubscriptionState {
  if (status === state.status) return state;
  const { reason: _past, ...rest } = state;
  return { ...rest, status, polls: 0, lastPollAt: now };
}

export function end(
  state: SubscriptionState,
  status: 'cancelled' | 'declined' | 'lapsed',
  now: Instant,
  reason: string,
): SubscriptionTransitionResult {
  return moved({ ...enter(withoutStep(state), status, now), reason });
}

/** A webhook or a renewal date only causes a read; what the provider shows decides. */
export function observe(state: SubscriptionState, now: Instant): SubscriptionTransitionResult {
  const { readsSettleAt, ...rest } = state;
  const hasCaughtUp = readsSettleAt === undefined || now >= readsSettleAt;
  const asked = { ...(hasCaughtUp ? rest : state), polls: state.polls + 1, lastPollAt: now, readOwed: false };
  return moved(asked, { type: 'observe' });
}

export function withoutStep(state: SubscriptionState): SubscriptionState {
  const { openStep: _finished, ...rest } = state;
  return rest;
}

export function moved(state: SubscriptionState, effect?: SubscriptionEffect): SubscriptionTransitionResult {
  return effect ? { kind: 'moved', state, effect } : { kind: 'moved', state };
}
