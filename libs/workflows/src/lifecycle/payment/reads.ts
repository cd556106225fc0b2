import type { Instant } from '../lifecycle.js';
import type { PaymentEvent, TransitionResult } from './event.js';
import type { PaymentState } from './payment.js';
import { moved } from './rules.js';

type EventOf<T extends PaymentEvent['type']> = Extract<PaymentEvent, { type: T }>;

/** The read for a hint or deadline has failed; a poll repeats it. */
export function oweRead(state: PaymentState): TransitionResult {
  return moved({ ...state, readOwed: true });
}

/** A webhook or a deadline only causes a read; what the provider shows decides. */
export function observe(state: PaymentState, now: Instant): TransitionResult {
  return moved({ ...state, polls: state.polls + 1, lastPollAt: now, readOwed: false }, { type: 'observe' });
}

/** Reads now, and once more when reads certainly show what there is news of. */
export function observeTwice(state: PaymentState, now: Instant): TransitionResult {
  return observe(withConfirmation(state, now), now);
}

/** A step does not read everything: news that comes during it is read when it is over. */
export function rememberNews(
  state: PaymentState,
  { isNews }: Pick<EventOf<'providerNotified'>, 'isNews'>,
  now: Instant,
): PaymentState {
  return isNews && state.order.remembersNews ? { ...withConfirmation(state, now), readOwed: true } : state;
}

function withConfirmation(state: PaymentState, now: Instant): PaymentState {
  return { ...state, confirmAt: now + state.order.patience.outcomeHorizonMs };
}

/** The same for a hint. A check does not change the waits between polls. */
export function takeHint(
  state: PaymentState,
  { isCheck, isNews }: EventOf<'providerNotified'>,
  now: Instant,
): TransitionResult {
  if (isCheck) return moved({ ...state, readOwed: false }, { type: 'observe' });
  return isNews ? observeTwice(state, now) : observe(state, now);
}
